/** The same cone in SVG, for browsers without WebGL and for problems small enough to stay sharp in print. */

import { shape } from "./dom";
import type { V3 } from "./geometry";
import { Look, place, type Painter } from "./scene";

const MOST_DOTS = 2000;

export function svgPainter(): Painter {
  const element = shape("svg", { class: "scene" }) as SVGSVGElement;
  return {
    element,
    paint(scene, camera) {
      const [width, height] = [element.clientWidth, element.clientHeight];
      const size = Math.min(width, height);
      const at = (p: V3): V3 => {
        const [x, y, z] = place(camera, size, p);
        return [width / 2 + x, height / 2 - y, z];
      };
      const point = (list: Float32Array, i: number): V3 => at([list[3 * i], list[3 * i + 1], list[3 * i + 2]]);
      const text = ([x, y]: V3): string => `${x.toFixed(1)} ${y.toFixed(1)}`;
      const parts: SVGElement[] = [];
      const apex = at([0, 0, 0]);
      if (scene.face.length > 2) {
        const corners = scene.face.map(at);
        parts.push(shape("path", { class: "c-face", d: `M${corners.map(text).join("L")}Z` }));
        parts.push(shape("path", { class: "c-face", d: corners.map((c, i) => `M${text(apex)}L${text(c)}L${text(corners[(i + 1) % corners.length])}Z`).join("") }));
      }
      for (const look of ["plain", "axis", "rim", "open", "shown", "hot"] as const) {
        const lines = scene.lines.filter((line) => line.look === look);
        if (lines.length === 0) continue;
        const style = look === "rim" ? "c-rim" : look === "axis" ? "c-axis" : `c-line ${look}`;
        parts.push(shape("path", { class: style, "stroke-width": look === "hot" ? 3 : 1.5, d: lines.map((l) => `M${text(at(l.from))}L${text(at(l.to))}`).join("") }));
      }
      const dots = scene.dots.length / 3;
      const stride = Math.max(1, Math.ceil(dots / MOST_DOTS));
      let d = "";
      for (let i = 0; i < dots; i += stride) d += `M${text(point(scene.dots, i))}h0`;
      if (d) parts.push(shape("path", { class: "c-dots", d, "stroke-width": 3, opacity: 0.6 }));
      const radius = scene.looks.length > 300 ? 3.5 : 6;
      const order = [...scene.looks.keys()].sort((a, b) => scene.looks[a] - scene.looks[b]);
      for (const i of order) {
        const [x, y] = point(scene.rays, i);
        const look = scene.looks[i];
        const style = look === Look.shown ? "c-shown" : look === Look.open ? "c-open" : "c-hot";
        const width = look === Look.shown ? 1 : look === Look.open ? radius / 2.4 : radius / 2;
        parts.push(shape("circle", { class: style, cx: x.toFixed(1), cy: y.toFixed(1), r: look === Look.hot ? radius * 1.5 : radius, "stroke-width": width }));
      }
      element.replaceChildren(...parts);
    },
  };
}
