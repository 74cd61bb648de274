// A list that somebody chooses by hand: its order, what is pinned in it, and which questions cannot be in it.

import { listsOf } from "./lists";
import type { FullTemplate, ListKey, TemplateQuestion } from "./shapes";

export interface HandList {
  ids: string[];
  pins: string[];
}

export function idsIn(template: FullTemplate, list: ListKey): string[] {
  return listsOf(template).find(({ key }) => key === list)?.questions.map(({ id }) => id) ?? [];
}

/** The list as it is stored. Pins are those of the whole template, and here only what the list has of them. */
export function handListOf(template: FullTemplate, list: ListKey): HandList {
  const ids = idsIn(template, list);
  return { ids, pins: ids.filter((id) => template.pinned?.includes(id) === true) };
}

export function isSameList(one: string[], other: string[]): boolean {
  return one.length === other.length && one.every((id, index) => id === other[index]);
}

/** In whatever order somebody has pinned. */
export function isSameHand(one: HandList, other: HandList): boolean {
  return isSameList(one.ids, other.ids) && isSameList([...one.pins].sort(), [...other.pins].sort());
}

/** All pins of the template, once these of a list are as chosen: those of other lists stay. */
export function pinsAfter(pinned: string[], ids: string[], pins: string[]): string[] {
  return [...pinned.filter((id) => !ids.includes(id)), ...pins];
}

/** The same with the question at this place at another one; places beyond the ends are the ends. */
export function withMoved(ids: string[], from: number, to: number): string[] {
  const id = ids[from];
  if (id === undefined) return ids;
  const others = ids.filter((_, index) => index !== from);
  const place = Math.max(0, Math.min(others.length, to));
  return [...others.slice(0, place), id, ...others.slice(place)];
}

/** Without the question, which is no longer pinned either. */
export function withoutQuestion({ ids, pins }: HandList, id: string): HandList {
  return { ids: ids.filter((one) => one !== id), pins: pins.filter((one) => one !== id) };
}

export function withPin({ ids, pins }: HandList, id: string, isPinned: boolean): HandList {
  const others = pins.filter((one) => one !== id);
  return { ids, pins: isPinned ? [...others, id] : others };
}

/** The place that a question is dragged to: past all others whose middle lies above the pointer. */
export function placeUnder(y: number, middles: number[]): number {
  return middles.filter((middle) => middle < y).length;
}

/** Questions that a student of this list sees anyway: those of the first stage for a second one, and vice versa. */
export function seenElsewhere(template: FullTemplate, list: ListKey): Set<string> {
  if (list === "standard") return new Set();
  const isOther = ({ key }: { key: ListKey }) => (list === "session1" ? key !== "session1" : key === "session1");
  return new Set(listsOf(template).filter(isOther).flatMap(({ questions }) => questions.map(({ id }: TemplateQuestion) => id)));
}
