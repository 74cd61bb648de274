// What the fields of an event offer: the records of the calendar, and the templates and sittings that it can announce.

import type { Answer } from "../api";
import { get } from "../api";
import { compareTexts } from "../order";
import { readTemplates, templates } from "../sittings/reading.svelte";
import { SITTINGS, type Sitting, type TemplateChoice } from "../sittings/shapes";
import { readAll } from "./client";
import { organizerLink, termLink, venueLink, type LinkDraft } from "./draft";
import { mayPublish } from "./rights";
import type { OrganizerView, TermView, VenueView } from "./shapes";

const byName = (one: LinkDraft, other: LinkDraft) => compareTexts(one.name, other.name);

export class EventOptions {
  venues = $state.raw<LinkDraft[]>([]);
  organizers = $state.raw<LinkDraft[]>([]);
  categories = $state.raw<LinkDraft[]>([]);
  tags = $state.raw<LinkDraft[]>([]);
  sittings = $state.raw<Sitting[]>([]);
  /** The first thing that could not be read. */
  problem = $state.raw<Answer<unknown>>();

  get templates(): TemplateChoice[] {
    return [...templates().values()];
  }

  /** Reviewers may not list templates and sittings, and announce exams of a grade. */
  async read(): Promise<void> {
    this.problem = undefined;
    await Promise.all([
      this.#list(readAll<VenueView>("venues"), (views) => (this.venues = views.map(venueLink).sort(byName))),
      this.#list(readAll<OrganizerView>("organizers"), (views) => (this.organizers = views.map(organizerLink).sort(byName))),
      this.#list(readAll<TermView>("categories", { hide_empty: false }), (views) => (this.categories = views.map(termLink))),
      this.#list(readAll<TermView>("tags", { hide_empty: false }), (views) => (this.tags = views.map(termLink))),
      ...(mayPublish() ? [this.#exams()] : []),
    ]);
  }

  async #list<T>(reading: Promise<Answer<{ items: T[] }>>, keep: (items: T[]) => unknown): Promise<void> {
    const answer = await reading;
    if (answer.kind === "done") keep(answer.value.items);
    else this.problem ??= answer;
  }

  /** A server that keeps its data elsewhere has none. */
  async #exams(): Promise<void> {
    const [, answer] = await Promise.all([readTemplates(), get(SITTINGS)]);
    if (answer.kind === "done") this.sittings = answer.value.sittings;
  }
}
