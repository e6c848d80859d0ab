/** The page comes with everything said in words; here the pictures are added that can be turned and played with. */

import { ConeView, WedgeView, projectionPicker, type Plane } from "./cone";
import { readFacts } from "./data";
import { byId } from "./dom";
import { game } from "./game";
import { matrix } from "./matrix";
import { aboutPanel, chooser } from "./panels";
import { SpaceView } from "./space";
import { Store } from "./store";

function themes(store: Store): void {
  const button = byId("theme");
  const order = ["auto", "light", "dark"];
  button.hidden = false;
  button.addEventListener("click", () => {
    const now = document.documentElement.dataset.theme ?? "auto";
    const next = order[(order.indexOf(now) + 1) % order.length];
    if (next === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = next;
    button.textContent = `Colours: ${next}`;
    button.setAttribute("aria-label", `Colours: ${next === "auto" ? "as the system" : next}`);
    store.tell("theme");
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => store.tell("theme"));
}

function copies(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>(".copier")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      const source = byId(`copy-${button.dataset.copy}`);
      byId("copied").textContent = (await copied(source)) ? `${button.textContent!.replace("Copy ", "")}: copied.` : "Press Ctrl+C to copy what is marked.";
    });
  }
}

/** By the clipboard where a page may use it; else the text is marked for the reader to copy. */
async function copied(source: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(source.textContent!);
    return true;
  } catch {
    getSelection()!.selectAllChildren(source);
    return document.execCommand("copy");
  }
}

function pictures(store: Store): void {
  const { facts } = store;
  byId("see").hidden = false;
  byId("see-words").textContent =
    "Each demonstration tells the learner some differences between the right action and the others. All of them together span a cone, and to teach is to show its extreme rays: every other difference follows. Choose demonstrations, and see what stays open and who still errs.";
  const plane: Plane = { rays: facts.rays.uv, dots: facts.inside.uv, names: null };
  aboutPanel(store);
  chooser(store);
  if (facts.rank === 2) {
    new WedgeView(store);
    new SpaceView(store, plane);
  } else if (facts.rank >= 3) {
    const cone = new ConeView(store, plane);
    const space = new SpaceView(store, plane);
    const picker = projectionPicker(store, (changed) => {
      cone.project(changed);
      space.project(changed);
    });
    if (picker) byId("cone-figure").append(picker);
  } else {
    byId("cone-figure").hidden = true;
    byId("space-figure").hidden = true;
  }
}

function main(): void {
  const store = new Store(readFacts());
  themes(store);
  copies();
  if (store.facts.rays.total > 0) pictures(store);
  if (store.facts.quiz.length > 2 && store.facts.lesson.length > 0) {
    byId("play").hidden = false;
    game(store);
  }
  matrix(store);
  for (const card of document.querySelectorAll<HTMLElement>(".card[data-state]")) {
    card.addEventListener("pointerenter", () => store.point(-1, Number(card.dataset.state)));
    card.addEventListener("pointerleave", () => store.point(-1, -1));
  }
  document.documentElement.dataset.ready = "yes";
}

main();
