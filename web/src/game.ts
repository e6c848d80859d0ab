/** You are the learner: see the lesson, act on states you have not seen, and compare. */

import type { Facts, Question } from "./data";
import { byId, drawing, el, many } from "./dom";
import type { Store } from "./store";

const ROUNDS = 10;

export function game(store: Store): void {
  const { facts } = store;
  const box = byId("game");
  const rounds = facts.quiz.slice(0, ROUNDS);
  const answers: number[] = [];
  const start = (): void => {
    answers.length = 0;
    box.replaceChildren(...intro(facts, rounds.length, () => ask()));
  };
  const ask = (): void => {
    const question = rounds[answers.length];
    if (!question) return finish();
    const answer = (choice: number): void => {
      answers.push(choice);
      ask();
    };
    box.replaceChildren(asked(question, answers.length, rounds.length, answer, store));
    box.querySelector<HTMLElement>(".question")!.focus({ preventScroll: true });
  };
  const finish = (): void => {
    box.replaceChildren(...result(store, rounds, answers, start));
    box.querySelector<HTMLElement>("h3")!.focus({ preventScroll: true });
  };
  start();
}

function intro(facts: Facts, rounds: number, begin: () => void): Node[] {
  const lesson = facts.lesson.map((s) => facts.states[s]);
  const cards = lesson.slice(0, 6).map((state) =>
    el("li", { class: "card" }, ...(state.p ? [el("div", { class: "picture" }, drawing(state.p))] : []), el("p", { class: "do" }, "Here the target does ", el("b", { class: "act" }, state.a), ".")),
  );
  return [
    el("p", {}, `Look at the lesson: ${many(lesson.length, "demonstration")}, nothing else. Then act in ${many(rounds, "state")} that nobody showed you. A linear learner that agrees with the lesson is right every time, and that is proved. Are you?`),
    el("ol", { class: "cards" }, ...cards),
    el("div", { class: "tools" }, el("button", { type: "button", class: "main", click: begin }, "I have seen it: let me act")),
  ];
}

function asked(question: Question, done: number, rounds: number, answer: (choice: number) => void, store: Store): HTMLElement {
  const name = store.facts.states[question.s].n;
  const buttons = question.a.map((action, i) => el("button", { type: "button", click: () => answer(i) }, action));
  const keys = question.a.length < 10 ? ` Keys 1 to ${question.a.length} choose, too.` : "";
  const box = el(
    "div", { class: "question", tabindex: -1, role: "group", "aria-label": `State ${done + 1} of ${rounds}` },
    el("p", { class: "note" }, `State ${done + 1} of ${rounds}: ${name}`),
    el("div", { class: "picture" }, drawing(question.p)),
    el("p", {}, "What do you do?"),
    el("div", { class: "answers" }, ...buttons),
    el("p", { class: "note" }, keys),
  );
  box.addEventListener("keydown", (event) => {
    const choice = Number((event as KeyboardEvent).key) - 1;
    if (choice >= 0 && choice < question.a.length) answer(choice);
  });
  return box;
}

/** Right for every consistent learner after the lesson: the lesson teaches.  With less, who misses a ray errs on it. */
function result(store: Store, rounds: Question[], answers: number[], again: () => void): Node[] {
  const right = rounds.filter((q, i) => answers[i] === q.t).length;
  const rows = rounds.map((question, i) => {
    const chosen = answers[i];
    const [title, shapes] = question.m[chosen];
    const fine = chosen === question.t;
    return el(
      "tr", {},
      el("td", { class: "thumb" }, drawing(question.p, title, shapes)),
      el("td", { class: fine ? "ok" : "bad" }, `${fine ? "✓" : "✗"} ${question.a[chosen]}`),
      el("td", { class: "ok" }, `✓ ${question.a[question.t]}`),
    );
  });
  const words = right === rounds.length
    ? "You learned what the lesson teaches. The worst learner that agrees with it did as well: it has no choice."
    : "People guess. The worst linear learner that agrees with the lesson was right every time: it has no choice.";
  return [
    el("h3", { tabindex: -1 }, "You, beside the worst learner that agrees"),
    el("div", { class: "tally" }, el("div", {}, `${right} of ${rounds.length}`, el("span", {}, "you")), el("div", {}, `${rounds.length} of ${rounds.length}`, el("span", {}, "worst consistent learner"))),
    el("p", {}, words),
    el("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "Your answers" },
      el("table", { class: "beside" }, el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "state"), el("th", { scope: "col" }, "you"), el("th", { scope: "col" }, "it"))), el("tbody", {}, ...rows))),
    el("div", { class: "tools" },
      el("button", { type: "button", class: "main", click: () => teachWithFewer(store) }, "Now teach it with fewer"),
      el("button", { type: "button", click: again }, "Play again")),
  ];
}

function teachWithFewer(store: Store): void {
  store.choose([]);
  byId("see").scrollIntoView();
  byId("choose").querySelector<HTMLElement>("input")?.focus({ preventScroll: true });
}
