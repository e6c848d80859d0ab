/** Small geometry for pictures: hulls in the plane, cones on the sphere, half-spaces.  Nothing here proves anything. */

export type V3 = [number, number, number];

export const dot = (a: V3, b: V3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

export const cross = (a: V3, b: V3): V3 => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

export function unit(a: V3): V3 {
  const size = Math.hypot(...a) || 1;
  return [a[0] / size, a[1] / size, a[2] / size];
}

/** Corners of the hull of points (u, v), counter-clockwise; points on an edge are no corners. */
export function hull(points: [number, number][]): [number, number][] {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const half = (list: [number, number][]): [number, number][] => {
    const chain: [number, number][] = [];
    for (const p of list) {
      while (chain.length > 1 && turn(chain[chain.length - 2], chain[chain.length - 1], p) <= 1e-9) chain.pop();
      chain.push(p);
    }
    return chain.slice(0, -1);
  };
  const found = [...half(sorted), ...half(sorted.reverse())];
  return found.length ? found : sorted.slice(0, 1);
}

function turn(a: [number, number], b: [number, number], c: [number, number]): number {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/** A convex piece of the sphere by its corners, and which of its sides bound the whole. */
export interface Piece { corners: V3[]; real: boolean[] }

/** All weights w with <w, (u, v, 1)> > 0 for the given points, as convex pieces of the unit sphere. */
export function weightsAgreeing(points: [number, number][]): Piece[] | "all" {
  const corners = hull(points).map(([u, v]) => unit([u, v, 1]));
  if (corners.length === 0) return "all";
  if (corners.length === 1) return halfSphere(corners[0]);
  if (corners.length === 2) return lune(corners[0], corners[1]);
  const found = corners.map((p, i) => unit(cross(p, corners[(i + 1) % corners.length])));
  return [{ corners: found, real: found.map(() => true) }];
}

function halfSphere(p: V3): Piece[] {
  const first = unit(cross(p, Math.abs(p[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0]));
  const second = cross(p, first);
  const around: V3[] = [first, second, minus(first), minus(second)];
  return around.map((a, i) => ({ corners: [p, a, around[(i + 1) % 4]], real: [false, true, false] }));
}

/** Between two half-spaces: two corners opposite each other, here cut into two triangles. */
function lune(p: V3, q: V3): Piece[] {
  const corner = unit(cross(p, q));
  const onP = facing(unit(cross(corner, p)), q);
  const onQ = facing(unit(cross(corner, q)), p);
  return [corner, minus(corner)].map((c) => ({ corners: [c, onP, onQ], real: [true, false, true] }));
}

const minus = (a: V3): V3 => [-a[0], -a[1], -a[2]];

const facing = (a: V3, towards: V3): V3 => (dot(a, towards) < 0 ? minus(a) : a);

/** The part of a piece on the side where `side` is positive (Sutherland and Hodgman, on cones). */
export function cut(piece: Piece, side: (p: V3) => number): Piece {
  const corners: V3[] = [];
  const real: boolean[] = [];
  piece.corners.forEach((from, i) => {
    const to = piece.corners[(i + 1) % piece.corners.length];
    const a = side(from);
    const b = side(to);
    if (a >= 0) {
      corners.push(from);
      real.push(piece.real[i]);
    }
    if (a * b < 0) {
      const between = unit([0, 1, 2].map((k) => (from[k] * Math.abs(b) + to[k] * Math.abs(a))) as V3);
      corners.push(between);
      real.push(a < 0 ? piece.real[i] : false);
    }
  });
  return { corners, real };
}

/** Points along the shortest great circle from a to b, without b. */
export function arc(a: V3, b: V3, steps = 14): V3[] {
  return Array.from({ length: steps }, (_, i) => unit([0, 1, 2].map((k) => a[k] + (b[k] - a[k]) * (i / steps)) as V3));
}

/** How the picture is turned: rows are the viewer's right, up and towards. */
export type Turn = [V3, V3, V3];

export function turnOf(yaw: number, pitch: number): Turn {
  const [sy, cy, sp, cp] = [Math.sin(yaw), Math.cos(yaw), Math.sin(pitch), Math.cos(pitch)];
  // the third coordinate of the data points up on the screen when pitch is zero
  return [[cy, sy, 0], [sy * sp, -cy * sp, cp], [sy * cp, -cy * cp, -sp]];
}

export const seen = (turn: Turn, p: V3): V3 => [dot(turn[0], p), dot(turn[1], p), dot(turn[2], p)];
