/** Elements without markup: names are data of others, so text only ever becomes text. */

import type { Picture, Shape } from "./data";

type Child = Node | string;
type Value = string | number | boolean | ((event: never) => void);

export function el<K extends keyof HTMLElementTagNameMap>(tag: K, about: Record<string, Value> = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(about)) {
    if (typeof value === "function") element.addEventListener(key, value as EventListener);
    else if (typeof value === "boolean") element.toggleAttribute(key, value);
    else element.setAttribute(key, String(value));
  }
  element.append(...children);
  return element;
}

export function shape(tag: string, about: Record<string, string | number> = {}, ...children: Child[]): SVGElement {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(about)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

export const byId = (id: string): HTMLElement => document.getElementById(id)!;

export const count = (n: number): string => n.toLocaleString("en-US");

export const many = (n: number, one: string, more = one + "s"): string => `${count(n)} ${n === 1 ? one : more}`;

function drawn([kind, role, size, text, p]: Shape): SVGElement {
  const about = { class: `role-${role}` };
  if (kind === "circle") return shape("circle", { ...about, cx: p[0], cy: p[1], r: size });
  if (kind === "text") {
    return shape("text", { ...about, x: p[0], y: p[1], "font-size": size, "text-anchor": "middle", "dominant-baseline": "central" }, text);
  }
  return shape(kind === "polygon" ? "polygon" : "polyline", { ...about, points: p.join(" ") });
}

/** The picture of a state, with more shapes over it where an action is to be marked. */
export function drawing(picture: Picture, title = picture.t, more: Shape[] = []): SVGElement {
  const box = `-0.1 -0.1 ${picture.w + 0.2} ${picture.h + 0.2}`;
  const size = { width: (picture.w + 0.2) * 40, height: (picture.h + 0.2) * 40 };
  return shape("svg", { viewBox: box, role: "img", ...size }, shape("title", {}, title), ...[...picture.s, ...more].map(drawn));
}

export const calm = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** A colour of the style sheet as red, green, blue between 0 and 1. */
export function colour(name: string): [number, number, number] {
  const text = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const hex = text.length === 4 ? [...text.slice(1)].map((c) => c + c).join("") : text.slice(1);
  return [0, 2, 4].map((i) => parseInt(hex.slice(i, i + 2), 16) / 255) as [number, number, number];
}
