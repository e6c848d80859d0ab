/** What is pointed at, and the list to choose demonstrations from. */

import type { Facts, Mistake, State } from "./data";
import { byId, count, drawing, el, many } from "./dom";
import { outcome, type Store } from "./store";

const LISTED = 60;

/** The ray pointed at, or a summary of what is open. */
export function aboutPanel(store: Store): void {
  const panel = byId("about");
  const show = (): void => {
    const { facts, ray, state } = store;
    if (ray >= 0) panel.replaceChildren(...aboutRay(store, ray));
    else if (state >= 0) panel.replaceChildren(...aboutState(facts, facts.states[state]));
    else panel.replaceChildren(...aboutChoice(store));
  };
  store.on(["chosen", "pointed"], show);
  show();
}

function aboutRay(store: Store, ray: number): (Node | string)[] {
  const { rays, states } = store.facts;
  const shown = states.flatMap((state, i) => (state.r.includes(ray) ? [i] : []));
  const names = shown.slice(0, 12).map((i) => states[i].n).join(", ");
  const seen = store.chosen.some((state) => states[state].r.includes(ray));
  const told = rays.told[ray];
  return [
    el("h3", {}, `Ray ${ray + 1} of ${count(rays.total)}`, ...(rays.label[ray] ? [el("code", {}, ` ${rays.label[ray]}`)] : [])),
    el("p", {}, seen ? "Your demonstrations show it." : "Open: your demonstrations do not show it."),
    el("p", {}, `${many(rays.count[ray], "state shows it", "states show it")}, for example ${names}${shown.length > 12 ? ", ..." : ""}.`),
    el("p", {}, "Who has not seen it may believe: "),
    ...(told ? [el("p", {}, "the score ", el("code", {}, told.score), `; ${told.error}.`)] : [mistakeWords(store.facts, rays.errs[ray])]),
  ];
}

function aboutState(facts: Facts, state: State): (Node | string)[] {
  return [
    el("h3", {}, `State ${state.n}`),
    ...(state.p ? [el("div", { class: "picture" }, drawing(state.p))] : []),
    el("p", {}, "The target does ", el("b", { class: "act" }, state.a), "."),
    el("p", {}, state.r.length ? `It shows ${many(state.r.length, "ray")} of ${count(facts.rays.total)}, marked in the picture${state.c && state.c > 1 ? `, as ${count(state.c - 1)} other ${state.c === 2 ? "state does" : "states do"}` : ""}.` : "It shows no extreme ray: other states imply all it could teach."),
  ];
}

function mistakeWords(facts: Facts, [where, target, wrong]: Mistake): HTMLElement {
  const name = typeof where === "number" ? facts.states[where].n : where;
  return el("p", {}, `in state `, el("b", {}, name), " prefer ", el("b", { class: "act" }, wrong), ` to ${target}.`);
}

/** What the chosen demonstrations achieve, with someone who still errs. */
function aboutChoice(store: Store): (Node | string)[] {
  const { facts, chosen } = store;
  const { open, worst, complete } = outcome(store);
  const total = facts.rays.count.length;
  const bar = el("i", {});
  bar.style.transform = `scaleX(${total ? (total - open.length) / total : 1})`;
  const meter = el("div", { class: "meter", role: "img", "aria-label": `${count(total - open.length)} of ${count(total)} rays shown` }, bar);
  const used = many(chosen.length, "demonstration");
  if (complete) {
    const fewer = chosen.length > facts.lesson.length ? ` The lesson above needs ${facts.lesson.length}.` : "";
    return [el("p", { class: "verdictline yes" }, `✓ ${used}: this teaches.`), meter, el("p", {}, `Every ray is shown, so every learner that agrees acts as the target in all ${many(facts.numStates, "state")}.${fewer}`)];
  }
  if (worst < 0) return [el("p", { class: "verdictline yes" }, `${used}: every ray on this page is shown.`), meter, el("p", {}, "There are more rays than the page holds; ask hornbook test whether the set teaches.")];
  return [el("p", { class: "verdictline no" }, `✗ ${used}: this does not teach.`), meter, el("p", {}, `${many(open.length, "ray is", "rays are")} open. Here is who still errs:`), ...wrongLearner(facts, worst)];
}

/** A learner that agrees with everything but has not seen a ray, where it errs. */
export function wrongLearner(facts: Facts, ray: number): HTMLElement[] {
  const [where, target, wrong] = facts.rays.errs[ray];
  const told = facts.rays.told[ray];
  const state = typeof where === "number" ? facts.states[where] : null;
  const picture = told?.p ? drawing(told.p) : null;
  return [
    ...(picture ? [el("div", { class: "picture" }, picture)] : []),
    el("p", {}, "In state ", el("b", {}, state ? state.n : String(where)), " it prefers ", el("b", { class: "act" }, wrong), ` to ${target}. It errs in ${many(facts.rays.count[ray], "state")} of ${count(facts.numStates)}.`),
    ...(told ? [el("p", { class: "why" }, "Its score: ", el("code", {}, told.score))] : []),
  ];
}

/** Check boxes for states; a search where there are many. */
export function chooser(store: Store): void {
  const { facts } = store;
  const drawn = facts.states.some((state) => state.p);
  const list = el("ul", { class: drawn ? "list drawn" : "list", "aria-label": "States to demonstrate" });
  const search = el("input", { type: "search", placeholder: `Find one of ${count(facts.states.length)} states`, "aria-label": "Find a state by its name" });
  const note = el("p", { class: "note" });
  const fill = (): void => {
    const wanted = search.value.toLowerCase();
    const order = [...store.chosen.filter((s) => !facts.lesson.includes(s)), ...facts.states.keys()];
    const fits = [...new Set(order)].filter((s) => facts.states[s].n.toLowerCase().includes(wanted));
    list.replaceChildren(...fits.slice(0, LISTED).map((s) => entry(store, s)));
    const kinds = facts.numKinds > facts.states.length ? ` Listed are ${count(facts.states.length)} of ${count(facts.numKinds)} kinds of states.` : "";
    note.textContent = (fits.length > LISTED ? `and ${count(fits.length - LISTED)} more: search by name.` : "") + kinds;
  };
  search.addEventListener("input", fill);
  const tools = el(
    "div", { class: "tools" },
    el("button", { type: "button", click: () => store.choose([...facts.lesson]) }, "The lesson"),
    el("button", { type: "button", click: () => store.choose([]) }, "Nothing"),
    el("button", { type: "button", click: () => store.choose(greedy(store)) }, "One more, greedily"),
  );
  byId("choose").append(el("h3", {}, "Your demonstrations"), tools, ...(facts.states.length > 8 ? [search] : []), list, note);
  store.on(["chosen"], () => list.querySelectorAll("input").forEach((box) => (box.checked = store.chosen.includes(Number(box.value)))));
  fill();
}

function entry(store: Store, index: number): HTMLElement {
  const state = store.facts.states[index];
  const box = el("input", { type: "checkbox", value: index, change: () => store.toggle(index) });
  box.checked = store.chosen.includes(index);
  const row = el("span", { class: "row" }, box, el("span", {}, state.n));
  const tag = el("span", { class: "tag" }, state.r.length ? many(state.r.length, "ray") : "no ray");
  const thumb = state.p ? [el("span", { class: "thumb" }, drawing(state.p))] : [];
  const label = el("label", { pointerenter: () => store.point(-1, index), pointerleave: () => store.point(-1, -1) }, ...thumb, row, tag);
  box.addEventListener("focus", () => store.point(-1, index));
  box.addEventListener("blur", () => store.point(-1, -1));
  return el("li", {}, label);
}

/** What is chosen, and the state that shows most open rays. */
function greedy(store: Store): number[] {
  const shown = store.shown();
  let [best, gain] = [-1, 0];
  store.facts.states.forEach((state, i) => {
    const found = state.r.filter((ray) => !shown[ray]).length;
    if (found > gain) [best, gain] = [i, found];
  });
  return best < 0 ? store.chosen : [...store.chosen, best];
}
