/** Which state shows which ray, as a grid of squares; point at a column to see the ray in the other pictures. */

import { byId, count, shape } from "./dom";
import type { Store } from "./store";

const ROWS = 48;
const COLUMNS = 240;
const CELL = 12;

export function matrix(store: Store): void {
  const { facts } = store;
  const rays = Math.min(COLUMNS, facts.rays.count.length);
  const rows = [...facts.states.keys()].filter((s) => facts.states[s].r.length).slice(0, ROWS);
  if (rays === 0) return;
  byId("cover").hidden = false;
  const listed = facts.states.filter((state) => state.r.length).length;
  const part = rows.length < listed || rays < facts.rays.total ? ` Showing ${count(rows.length)} of ${count(Math.max(listed, facts.numKinds))} rows and ${count(rays)} of ${count(facts.rays.total)} columns.` : "";
  byId("cover-words").textContent = `One row for each kind of state, the lesson first and in bold; one column for each extreme ray. A lesson must have a square in every column: that is all that teaching takes.${part}`;
  const names = rows.map((s) => (facts.states[s].n.length > 22 ? facts.states[s].n.slice(0, 21) + "…" : facts.states[s].n));
  const left = 12 + 7 * Math.max(...names.map((name) => name.length));
  const [width, height] = [left + rays * CELL + 4, rows.length * (CELL + 3) + 4];
  const svg = shape("svg", { class: "matrix", width, height, viewBox: `0 0 ${width} ${height}`, role: "img" });
  const mark = shape("rect", { class: "c-face", y: 0, width: CELL, height });
  const text = names.map((name, i) => shape("text", { x: left - 8, y: i * (CELL + 3) + CELL - 1, "text-anchor": "end", class: facts.lesson.includes(rows[i]) ? "lesson" : "" }, name));
  const squares = rows.map((s, i) => {
    const d = facts.states[s].r.filter((ray) => ray < rays).map((ray) => `M${left + ray * CELL} ${i * (CELL + 3) + 1}h${CELL - 2}v${CELL - 2}h${2 - CELL}z`).join("");
    return shape("path", { d, fill: facts.lesson.includes(s) ? "var(--shown)" : "var(--dots)" });
  });
  svg.append(shape("title", {}, `${rows.length} kinds of states and the rays they show`), mark, ...text, ...squares);
  svg.addEventListener("pointermove", (event) => {
    const ray = Math.floor(((event as PointerEvent).clientX - svg.getBoundingClientRect().left - left) / CELL);
    store.point(ray >= 0 && ray < rays ? ray : -1, -1);
  });
  svg.addEventListener("pointerleave", () => store.point(-1, -1));
  const follow = (): void => mark.setAttribute("x", String(store.ray >= 0 && store.ray < rays ? left + store.ray * CELL - 1 : -100));
  store.on(["pointed"], follow);
  follow();
  byId("matrix").append(svg);
}
