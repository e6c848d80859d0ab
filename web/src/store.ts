/** What the reader has chosen and points at; views listen. */

import type { Facts } from "./data";

type Change = "chosen" | "pointed" | "step" | "projection" | "theme";

export class Store {
  chosen: number[]; // states, in the order they were chosen
  step: number; // how many of them the version space has heard of
  ray = -1; // pointed at
  state = -1;
  private readonly listeners: [Change[], () => void][] = [];

  constructor(readonly facts: Facts) {
    this.chosen = [...facts.lesson];
    this.step = this.chosen.length;
  }

  on(changes: Change[], listener: () => void): void {
    this.listeners.push([changes, listener]);
  }

  tell(change: Change): void {
    for (const [changes, listener] of this.listeners) if (changes.includes(change)) listener();
  }

  choose(states: number[]): void {
    this.chosen = states;
    this.step = states.length;
    this.tell("chosen");
  }

  toggle(state: number): void {
    this.choose(this.chosen.includes(state) ? this.chosen.filter((s) => s !== state) : [...this.chosen, state]);
  }

  point(ray: number, state: number): void {
    if (ray === this.ray && state === this.state) return;
    this.ray = ray;
    this.state = state;
    this.tell("pointed");
  }

  goTo(step: number): void {
    this.step = Math.max(0, Math.min(this.chosen.length, step));
    this.tell("step");
  }

  /** For every ray whether a chosen state shows it. */
  shown(states = this.chosen): Uint8Array {
    const found = new Uint8Array(this.facts.rays.count.length);
    for (const state of states) for (const ray of this.facts.states[state].r) found[ray] = 1;
    return found;
  }
}

export interface Outcome {
  open: number[]; // rays that nobody has shown
  worst: number; // the one that occurs in most states, or -1
  complete: boolean; // every ray there is has been shown, so the set teaches
}

export function outcome(store: Store, states = store.chosen): Outcome {
  const { rays } = store.facts;
  const shown = store.shown(states);
  const open: number[] = [];
  let worst = -1;
  shown.forEach((seen, ray) => {
    if (seen) return;
    open.push(ray);
    if (worst < 0 || rays.count[ray] > rays.count[worst]) worst = ray;
  });
  return { open, worst, complete: open.length === 0 && shown.length === rays.total };
}
