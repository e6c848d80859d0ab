/** What a view of the cone draws, whoever draws it: WebGL where there is one, SVG elsewhere. */

import type { Turn, V3 } from "./geometry";

export const enum Look { dot = 0, shown = 1, open = 2, hot = 3 }

export interface Scene {
  rays: Float32Array; // x, y, z each
  dots: Float32Array;
  looks: Uint8Array; // of the rays
  lines: { from: V3; to: V3; look: "rim" | "axis" | "shown" | "open" | "hot" | "plain" }[];
  face: V3[]; // corners of the section, in order; empty for none
}

export interface Camera { turn: Turn; zoom: number; centre: V3 }

export interface Painter {
  element: HTMLCanvasElement | SVGSVGElement;
  paint(scene: Scene, camera: Camera, changed: boolean): void;
}

/** From the data to the stage: pixels from its middle. */
export function place(camera: Camera, size: number, p: V3): V3 {
  const q: V3 = [p[0] - camera.centre[0], p[1] - camera.centre[1], p[2] - camera.centre[2]];
  const k = size * 0.44 * camera.zoom;
  const [r, u, t] = camera.turn;
  return [
    k * (r[0] * q[0] + r[1] * q[1] + r[2] * q[2]),
    k * (u[0] * q[0] + u[1] * q[1] + u[2] * q[2]),
    t[0] * q[0] + t[1] * q[1] + t[2] * q[2],
  ];
}
