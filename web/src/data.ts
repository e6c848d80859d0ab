/** What the page is told: `page_facts` of hornbook/report/facts.py, with arrays unpacked. Nothing here is computed. */

export type Shape = [kind: string, role: string, size: number, text: string, points: number[]];
export interface Picture { t: string; w: number; h: number; s: Shape[] }
export interface State {
  n: string; // name
  a: string; // target action
  r: number[]; // rays it shows
  c?: number; // how many states show the same rays
  x?: number[]; // (u, v) of its differences that are on no ray
  p?: Picture; // with the target marked
}
export interface Told { score: string; error: string; p: Picture | null; w?: number[] }
export interface Question { s: number; p: Picture; a: string[]; m: [title: string, shapes: Shape[]][]; t: number }
export type Mistake = [state: number | string, target: string, wrong: string];

export interface Facts {
  verdict: string; size: number; numStates: number; features: string[]; rank: number;
  axes: { n: string; d: number[] }[];
  lesson: number[]; only: number[][]; states: State[]; numKinds: number;
  rays: { total: number; uv: Float32Array; label: string[]; count: number[]; errs: Mistake[]; told: Record<string, Told> };
  inside: { total: number; uv: Float32Array };
  table: { rays: Float32Array; inside: Float32Array } | null;
  quiz: Question[];
}

function floats(packed: string): Float32Array {
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  return new Float32Array(bytes.buffer); // little-endian, as every browser's machine is
}

export function readFacts(): Facts {
  const raw = JSON.parse(document.getElementById("facts")!.textContent!);
  raw.rays.uv = floats(raw.rays.uv);
  raw.inside.uv = floats(raw.inside.uv);
  if (raw.table) raw.table = { rays: floats(raw.table.rays), inside: floats(raw.table.inside) };
  return raw as Facts;
}
