/** The version space: all weights that agree with the first demonstrations, shrinking as more are heard of. */

import { byId, calm, el, many, shape } from "./dom";
import { arc, cut, seen, turnOf, unit, weightsAgreeing, type Piece, type Turn, type V3 } from "./geometry";
import type { Plane } from "./cone";
import { outcome, type Store } from "./store";

export class SpaceView {
  private readonly svg = shape("svg", { class: "scene", viewBox: "-1.2 -1 2.4 2", role: "img", tabindex: 0 });
  private readonly slider = el("input", { type: "range", min: 0, "aria-label": "How many demonstrations have been heard" });
  private readonly said = el("output", {});
  private yaw = 0.5;
  private pitch = 0.95;
  private timer = 0;

  constructor(private readonly store: Store, private plane: Plane) {
    byId("space").append(this.svg);
    const play = el("button", { type: "button", click: () => this.play() }, "Play");
    byId("steps").append(play, this.slider, this.said);
    this.slider.addEventListener("input", () => store.goTo(Number(this.slider.value)));
    store.on(["chosen", "step", "theme", "pointed"], () => this.paint());
    if (store.facts.rank >= 3) this.listen();
    this.paint();
  }

  project(plane: Plane): void {
    this.plane = plane;
    this.paint();
  }

  /** From nothing to everything, one demonstration at a time. */
  private play(): void {
    clearInterval(this.timer);
    this.store.goTo(0);
    const pause = calm() ? 1200 : Math.max(120, Math.min(900, 6000 / (this.store.chosen.length || 1)));
    this.timer = window.setInterval(() => {
      if (this.store.step >= this.store.chosen.length) clearInterval(this.timer);
      else this.store.goTo(this.store.step + 1);
    }, pause);
  }

  /** Where the differences stand that the first `step` demonstrations show. */
  private points(): [number, number][] {
    const { facts, chosen, step } = this.store;
    const found: [number, number][] = [];
    const shown = this.store.shown(chosen.slice(0, step));
    shown.forEach((yes, ray) => yes && found.push([this.plane.rays[2 * ray], this.plane.rays[2 * ray + 1]]));
    for (const state of chosen.slice(0, step)) {
      const inner = facts.states[state].x ?? [];
      for (let i = 0; i < inner.length; i += 2) found.push([inner[i], inner[i + 1]]);
    }
    return found;
  }

  private paint(): void {
    const { store } = this;
    this.slider.max = String(store.chosen.length);
    this.slider.value = String(store.step);
    this.said.textContent = `${store.step} of ${store.chosen.length}`;
    const { open, worst, complete } = outcome(store, store.chosen.slice(0, store.step));
    const pointed = store.ray >= 0 && open.includes(store.ray) ? store.ray : worst;
    const wrong = pointed >= 0 ? store.facts.rays.told[pointed]?.w : undefined;
    this.svg.replaceChildren(...(store.facts.rank === 2 ? this.wedge(wrong) : this.globe(wrong)));
    const slice = store.facts.rank > 3 ? " This is a slice through it: what it looks like along the projection above." : "";
    const after = store.step === 0 ? "Before the first demonstration a learner may believe anything." : `After ${many(store.step, "demonstration")} the shaded weights still agree.`;
    const end = complete
      ? " Every weight left acts as the target everywhere."
      : open.length === 0 ? " Every ray drawn here is shown." : " The ring marks a learner that agrees and still errs; the disc acts as the target.";
    byId("space-words").textContent = `The version space: all weights that agree with what has been shown. ${after}${open.length && !wrong ? " Some of them still err; the disc acts as the target." : end}${slice}`;
    this.svg.setAttribute("aria-label", byId("space-words").textContent!);
  }

  /** In the plane: directions of weights on a circle, those that agree as a sector. */
  private wedge(wrong?: number[]): SVGElement[] {
    const at = (angle: number): string => `${(0.9 * Math.cos(angle)).toFixed(4)} ${(-0.9 * Math.sin(angle)).toFixed(4)}`;
    const parts: SVGElement[] = [shape("circle", { class: "s-globe", r: 0.9, "stroke-width": 0.01 })];
    const angles = this.points().map(([u]) => Math.atan2(1, u));
    if (angles.length === 0) parts.push(shape("circle", { class: "s-front", r: 0.9 }));
    else {
      const [from, to] = [Math.max(...angles) - Math.PI / 2, Math.min(...angles) + Math.PI / 2];
      parts.push(shape("path", { class: "s-front", d: `M0 0L${at(from)}A.9 .9 0 0 0 ${at(to)}Z` }));
      parts.push(shape("path", { class: "s-edge", "stroke-width": 0.02, d: `M${at(from)}L0 0L${at(to)}` }));
    }
    const mark = (w: number[], style: string): void => {
      const length = Math.hypot(w[0], w[2]) / 0.75;
      parts.push(shape("circle", { class: style, cx: w[0] / length, cy: -w[2] / length, r: 0.045, "stroke-width": 0.025 }));
    };
    mark([0, 0, 1], "s-right");
    if (wrong) mark(wrong, "s-wrong");
    return parts;
  }

  /** In space: directions of weights on a globe, those that agree as a polygon of great circles. */
  private globe(wrong?: number[]): SVGElement[] {
    const turn = turnOf(this.yaw, this.pitch);
    const parts: SVGElement[] = [shape("circle", { class: "s-globe", r: 0.9, "stroke-width": 0.01 }), ...grid(turn)];
    const found = weightsAgreeing(this.points());
    if (found === "all") parts.push(shape("circle", { class: "s-front", r: 0.9 }));
    else {
      for (const front of [false, true]) {
        const pieces = found.map((piece) => cut(piece, (p) => (front ? 1 : -1) * seen(turn, p)[2])).filter((piece) => piece.corners.length > 2);
        parts.push(shape("path", { class: front ? "s-front" : "s-back", d: pieces.map((piece) => outline(piece, turn)).join("") }));
        parts.push(shape("path", { class: front ? "s-edge" : "s-edge back", "stroke-width": 0.015, d: pieces.map((piece) => edges(piece, turn)).join("") }));
      }
    }
    const mark = (w: number[], style: string): void => {
      const [x, y, z] = seen(turn, unit(w as V3));
      parts.push(shape("circle", { class: style, cx: 0.9 * x, cy: -0.9 * y, r: 0.04, "stroke-width": 0.022, opacity: z < 0 ? 0.45 : 1 }));
    };
    mark([0, 0, 1], "s-right");
    if (wrong) mark(wrong, "s-wrong");
    return parts;
  }

  private listen(): void {
    let last: [number, number] | null = null;
    const svg = this.svg as SVGSVGElement;
    svg.addEventListener("pointerdown", (event) => {
      last = [event.clientX, event.clientY];
      svg.setPointerCapture(event.pointerId);
    });
    for (const end of ["pointerup", "pointercancel"] as const) svg.addEventListener(end, () => (last = null));
    svg.addEventListener("pointermove", (event) => {
      if (!last) return;
      this.turn((event.clientX - last[0]) * 0.01, (event.clientY - last[1]) * 0.01);
      last = [event.clientX, event.clientY];
    });
    svg.addEventListener("keydown", (event) => {
      const turns: Record<string, [number, number]> = { ArrowLeft: [-0.12, 0], ArrowRight: [0.12, 0], ArrowUp: [0, -0.12], ArrowDown: [0, 0.12] };
      if (!turns[event.key]) return;
      this.turn(...turns[event.key]);
      event.preventDefault();
    });
  }

  private turn(yaw: number, pitch: number): void {
    this.yaw -= yaw;
    this.pitch = Math.max(-1.57, Math.min(1.57, this.pitch + pitch));
    this.paint();
  }
}

const text = (turn: Turn, p: V3): string => {
  const [x, y] = seen(turn, p);
  return `${(0.9 * x).toFixed(4)} ${(-0.9 * y).toFixed(4)}`;
};

/** Along each side; sides on the horizon are short enough to be taken for great circles too. */
function outline(piece: Piece, turn: Turn): string {
  const corners = piece.corners.flatMap((p, i) => arc(p, piece.corners[(i + 1) % piece.corners.length]));
  return `M${corners.map((p) => text(turn, p)).join("L")}Z`;
}

function edges(piece: Piece, turn: Turn): string {
  return piece.corners
    .map((p, i) => {
      if (!piece.real[i]) return "";
      const end = piece.corners[(i + 1) % piece.corners.length];
      return `M${[...arc(p, end), end].map((q) => text(turn, q)).join("L")}`;
    })
    .join("");
}

/** A few great circles, so that the globe is seen to turn. */
function grid(turn: Turn): SVGElement[] {
  const circles: V3[][] = [0, 1, 2].map((axis) =>
    Array.from({ length: 73 }, (_, i) => {
      const [c, s] = [Math.cos((i * Math.PI) / 36), Math.sin((i * Math.PI) / 36)];
      return [[c, s, 0], [0, c, s], [s, 0, c]][axis] as V3;
    }),
  );
  const d = circles.map((circle) => `M${circle.map((p) => text(turn, p)).join("L")}`).join("");
  return [shape("path", { class: "s-grid", "stroke-width": 0.006, d })];
}
