/** The cone of all differences: turn it, point at a ray, see who shows it. */

import { byId, el, many, shape } from "./dom";
import { seen, turnOf, type V3 } from "./geometry";
import { Look, place, type Camera, type Painter, type Scene } from "./scene";
import type { Store } from "./store";
import { svgPainter } from "./svgpainter";
import { webglPainter } from "./webgl";

const MANY = 400; // rays; more get no line to the apex
const REACH = 16; // pixels at which a ray is pointed at
const START = { yaw: 0.6, pitch: 0.42 };

/** The (u, v) of rays and other directions under the chosen projection. */
export interface Plane { rays: Float32Array; dots: Float32Array; names: [string, string] | null }

export class ConeView {
  private readonly painter: Painter;
  private readonly over = shape("svg", { class: "over", "aria-hidden": "true" });
  private scene: Scene;
  private yaw = START.yaw;
  private pitch = START.pitch;
  private zoom = 1;
  private waiting = false;
  private changed = true;

  constructor(private readonly store: Store, private plane: Plane) {
    const stage = byId("cone");
    this.painter = webglPainter() ?? svgPainter();
    stage.dataset.painter = this.painter.element instanceof HTMLCanvasElement ? "webgl" : "svg";
    const element = this.painter.element;
    element.setAttribute("tabindex", "0");
    element.setAttribute("role", "img");
    element.setAttribute("aria-label", this.words());
    stage.append(element, this.over);
    this.scene = this.build();
    this.listen(element);
    store.on(["chosen", "pointed", "theme"], () => this.refresh());
    new ResizeObserver(() => this.later()).observe(stage);
    element.addEventListener("webglcontextlost", (event) => event.preventDefault());
    element.addEventListener("webglcontextrestored", () => location.reload());
    this.describe();
  }

  project(plane: Plane): void {
    this.plane = plane;
    this.scene = this.build();
    this.describe();
    this.refresh();
  }

  private words(): string {
    const { rays, inside } = this.store.facts;
    return `The cone of all differences with ${many(rays.total, "extreme ray")} and ${many(inside.total, "other direction")}. Arrow keys turn it, plus and minus zoom, N and P step through the rays, Escape lets go.`;
  }

  private describe(): void {
    const { facts } = this.store;
    const [rays, dots] = [this.plane.rays.length / 2, this.plane.dots.length / 2];
    const part = (shown: number, total: number, what: string): string =>
      shown === total ? many(total, what) : `showing ${shown.toLocaleString("en-US")} of ${many(total, what)}`;
    const kind = facts.rank > 3 ? `A shadow of the cone, which has ${facts.rank} dimensions: rays may seem to lie inside. ` : "The cone of all differences, stretched so that it fills the picture. ";
    byId("cone-words").textContent = `${kind}Full discs are rays that your demonstrations show, open rings are rays they do not: ${part(rays, facts.rays.total, "extreme ray")}; dots: ${part(dots, facts.inside.total, "other direction")}. Drag or use the arrow keys to turn; point at a ray to see who shows it.`;
  }

  /** Everything that does not change while the picture is turned. */
  private build(): Scene {
    const lift = (uv: Float32Array): Float32Array => {
      const out = new Float32Array((uv.length / 2) * 3);
      for (let i = 0; 2 * i < uv.length; i++) out.set([uv[2 * i], uv[2 * i + 1], 1], 3 * i);
      return out;
    };
    const rays = lift(this.plane.rays);
    const scene: Scene = { rays, dots: lift(this.plane.dots), looks: new Uint8Array(rays.length / 3), lines: [], face: [] };
    if (this.store.facts.rank === 3) scene.face = this.rim();
    this.dress(scene);
    return scene;
  }

  /** The corners of the section in order; every ray is one, and the middle is inside. */
  private rim(): V3[] {
    const { rays } = this.plane;
    const order = Array.from({ length: rays.length / 2 }, (_, i) => i);
    let [x, y] = [0, 0];
    for (const i of order) [x, y] = [x + rays[2 * i] / order.length, y + rays[2 * i + 1] / order.length];
    order.sort((a, b) => Math.atan2(rays[2 * a + 1] - y, rays[2 * a] - x) - Math.atan2(rays[2 * b + 1] - y, rays[2 * b] - x));
    return order.map((i) => [rays[2 * i], rays[2 * i + 1], 1]);
  }

  /** Looks and lines: what is shown, what is open, what is pointed at. */
  private dress(scene: Scene): void {
    const { store } = this;
    const shown = store.shown();
    const hot = new Set(store.state >= 0 ? store.facts.states[store.state].r : []);
    if (store.ray >= 0) hot.add(store.ray);
    const end = (i: number): V3 => [scene.rays[3 * i], scene.rays[3 * i + 1], 1];
    scene.lines = scene.face.map((corner, i) => ({ from: corner, to: scene.face[(i + 1) % scene.face.length], look: "rim" }));
    for (const axis of this.store.facts.axes) scene.lines.push({ from: [0, 0, 0], to: axis.d.map((v) => v * 1.15) as V3, look: "axis" });
    for (let i = 0; i < scene.looks.length; i++) {
      const look = hot.has(i) ? Look.hot : shown[i] ? Look.shown : Look.open;
      scene.looks[i] = look;
      if (scene.looks.length <= MANY || look === Look.hot) {
        scene.lines.push({ from: [0, 0, 0], to: end(i), look: look === Look.hot ? "hot" : look === Look.shown ? "shown" : "open" });
      }
    }
    this.changed = true;
  }

  private refresh(): void {
    this.dress(this.scene);
    this.later();
  }

  private camera(): Camera {
    return { turn: turnOf(this.yaw, this.pitch), zoom: this.zoom, centre: [0, 0, 0.58] };
  }

  private later(): void {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.paint();
    });
  }

  private paint(): void {
    if (this.painter.element.clientWidth === 0) return;
    this.painter.paint(this.scene, this.camera(), this.changed);
    this.changed = false;
    this.label();
  }

  /** Names of the axes, over the picture. */
  private label(): void {
    const { clientWidth: width, clientHeight: height } = this.painter.element;
    const size = Math.min(width, height);
    const words = this.store.facts.axes.map((axis) => {
      const [x, y] = place(this.camera(), size, axis.d.map((v) => v * 1.24) as V3);
      return shape("text", { x: width / 2 + x, y: height / 2 - y, "text-anchor": "middle" }, axis.n);
    });
    this.over.replaceChildren(...words);
  }

  private listen(element: HTMLElement | SVGElement): void {
    let last: [number, number] | null = null;
    element.addEventListener("pointerdown", (event) => {
      last = [(event as PointerEvent).clientX, (event as PointerEvent).clientY];
      element.setPointerCapture((event as PointerEvent).pointerId);
    });
    element.addEventListener("pointerup", () => (last = null));
    element.addEventListener("pointercancel", () => (last = null));
    element.addEventListener("pointermove", (event) => {
      const { clientX, clientY } = event as PointerEvent;
      if (last) {
        this.turn((clientX - last[0]) * 0.01, (clientY - last[1]) * 0.01);
        last = [clientX, clientY];
      } else {
        this.store.point(this.nearest(clientX, clientY), -1);
      }
    });
    element.addEventListener("keydown", (event) => this.key(event as KeyboardEvent));
  }

  private turn(yaw: number, pitch: number): void {
    this.yaw -= yaw;
    this.pitch = Math.max(-1.57, Math.min(1.57, this.pitch + pitch));
    this.later();
  }

  private key(event: KeyboardEvent): void {
    const turns: Record<string, [number, number]> = { ArrowLeft: [-0.12, 0], ArrowRight: [0.12, 0], ArrowUp: [0, -0.12], ArrowDown: [0, 0.12] };
    const rays = this.scene.looks.length;
    if (turns[event.key]) this.turn(...turns[event.key]);
    else if (event.key === "+" || event.key === "=") this.scale(1.15);
    else if (event.key === "-") this.scale(1 / 1.15);
    else if (event.key === "n" || event.key === "N") this.store.point((this.store.ray + 1) % rays, -1);
    else if (event.key === "p" || event.key === "P") this.store.point((this.store.ray + rays - (this.store.ray < 0 ? 0 : 1)) % rays, -1);
    else if (event.key === "Escape") this.store.point(-1, -1);
    else return;
    event.preventDefault();
  }

  private scale(factor: number): void {
    this.zoom = Math.max(0.4, Math.min(6, this.zoom * factor));
    this.later();
  }

  /** The ray nearest to the pointer, the one in front if several are as near. */
  private nearest(clientX: number, clientY: number): number {
    const box = this.painter.element.getBoundingClientRect();
    const [x, y] = [clientX - box.left - box.width / 2, box.height / 2 - (clientY - box.top)];
    const camera = this.camera();
    const scale = Math.min(box.width, box.height) * 0.44 * camera.zoom;
    let [best, distance] = [-1, REACH * REACH];
    const { rays } = this.scene;
    for (let i = 0; 3 * i < rays.length; i++) {
      const q = seen(camera.turn, [rays[3 * i], rays[3 * i + 1], rays[3 * i + 2] - camera.centre[2]]);
      const d = (q[0] * scale - x) ** 2 + (q[1] * scale - y) ** 2 - q[2];
      if (d < distance) [best, distance] = [i, d];
    }
    return best;
  }
}

/** In two dimensions: an angle between two rays, nothing to turn. */
export class WedgeView {
  private readonly svg = shape("svg", { class: "scene", viewBox: "-1.25 -1.25 2.5 2", role: "img", tabindex: 0 });

  constructor(private readonly store: Store) {
    byId("cone").append(this.svg);
    byId("cone").dataset.painter = "svg";
    const { rays, inside } = store.facts;
    this.svg.setAttribute("aria-label", `The cone of all differences between ${many(rays.total, "extreme ray")}, with ${many(inside.total, "other direction")}. N and P step through the rays.`);
    const dots = inside.uv.length / 2;
    const part = dots === inside.total ? many(dots, "other direction") : `showing ${dots.toLocaleString("en-US")} of ${many(inside.total, "other direction")}`;
    byId("cone-words").textContent = `The cone of all differences, stretched so that it fills the picture. A full disc is an extreme ray that your demonstrations show, an open ring one they do not; dots: ${part}. Point at a ray to see who shows it.`;
    this.svg.addEventListener("keydown", (event) => this.key(event as KeyboardEvent));
    store.on(["chosen", "pointed", "theme"], () => this.paint());
    this.paint();
  }

  private key(event: KeyboardEvent): void {
    const total = this.store.facts.rays.count.length;
    if (event.key === "n" || event.key === "N") this.store.point((this.store.ray + 1) % total, -1);
    else if (event.key === "p" || event.key === "P") this.store.point((this.store.ray + total - (this.store.ray < 0 ? 0 : 1)) % total, -1);
    else if (event.key === "Escape") this.store.point(-1, -1);
    else return;
    event.preventDefault();
  }

  private paint(): void {
    const { facts } = this.store;
    const shown = this.store.shown();
    const hot = new Set(this.store.state >= 0 ? facts.states[this.store.state].r : []);
    if (this.store.ray >= 0) hot.add(this.store.ray);
    const apex = 0.55;
    const at = (u: number, size = 1.25): [number, number] => {
      const length = Math.hypot(u, 1);
      return [(u / length) * size, apex - size / length];
    };
    const parts: SVGElement[] = [];
    const ends = [...shown.keys()].map((i) => at(facts.rays.uv[2 * i]));
    if (ends.length === 2) {
      parts.push(shape("path", { class: "c-face", d: `M0 ${apex}L${ends[0].join(" ")}A1.25 1.25 0 0 ${ends[0][0] < ends[1][0] ? 1 : 0} ${ends[1].join(" ")}Z` }));
    }
    for (const axis of facts.axes) {
      const [x, y] = [axis.d[0] * 1.1, apex - axis.d[2] * 1.1];
      parts.push(shape("path", { class: "c-axis", "stroke-width": 0.008, d: `M0 ${apex}L${x} ${y}` }));
    }
    for (let i = 0; 2 * i < facts.inside.uv.length; i++) {
      const [x, y] = at(facts.inside.uv[2 * i], 1);
      parts.push(shape("circle", { class: "c-dot", cx: x, cy: y, r: 0.012 }));
    }
    ends.forEach(([x, y], i) => {
      const look = hot.has(i) ? "hot" : shown[i] ? "shown" : "open";
      const line = shape("path", { class: `c-line ${look}`, "stroke-width": hot.has(i) ? 0.03 : 0.018, d: `M0 ${apex}L${x} ${y}` });
      line.style.strokeDasharray = shown[i] ? "" : ".05 .035";
      const style = shown[i] ? "c-shown" : "c-open";
      const disc = shape("circle", { class: style, cx: x, cy: y, r: hot.has(i) ? 0.06 : 0.045, "stroke-width": 0.02 });
      const target = shape("circle", { cx: x, cy: y, r: 0.16, fill: "transparent" });
      target.addEventListener("pointerenter", () => this.store.point(i, -1));
      parts.push(line, disc, shape("text", { x: x * 1.04, y: y - 0.09, "text-anchor": "middle", "font-size": 0.075, class: "c-label" }, facts.rays.label[i] ?? ""), target);
    });
    this.svg.replaceChildren(...parts);
  }
}

/** Two features to look along, instead of the principal directions. */
export function projectionPicker(store: Store, change: (plane: Plane) => void): HTMLElement | null {
  const { facts } = store;
  const table = facts.table;
  if (!table) return null;
  const options = (): HTMLOptionElement[] => [el("option", { value: "-1" }, "principal"), ...facts.features.map((name, i) => el("option", { value: i }, name))];
  const picks = ["Across", "Up"].map((name) => el("select", { "aria-label": `${name}: which feature` }, ...options()));
  const redo = (): void => {
    const [across, up] = picks.map((pick) => Number(pick.value));
    if (across < 0 || up < 0) change({ rays: facts.rays.uv, dots: facts.inside.uv, names: null });
    else change(projected(table.rays, table.inside, facts.features.length, [across, up]));
  };
  picks.forEach((pick) => pick.addEventListener("change", redo));
  return el("div", { class: "tools" }, "Look along: across ", picks[0], " up ", picks[1]);
}

function projected(rays: Float32Array, inside: Float32Array, width: number, [across, up]: [number, number]): Plane {
  const columns = [across, up].map((column) => {
    let most = 0;
    for (let i = column; i < rays.length; i += width) most = Math.max(most, Math.abs(rays[i]));
    return { column, scale: 1 / (most * Math.SQRT2 || 1) };
  });
  const take = (from: Float32Array): Float32Array => {
    const out = new Float32Array((from.length / width) * 2);
    for (let i = 0; i * width < from.length; i++) columns.forEach(({ column, scale }, k) => (out[2 * i + k] = from[i * width + column] * scale));
    return out;
  };
  return { rays: take(rays), dots: take(inside), names: null };
}
