// Values of a sitting as people read them.

import type { MarkScale } from "../../marks/scale";
import type { ChangedField } from "./differences";
import { parsed, shownMoment } from "../moments";
import type { Sitting, SittingFields } from "./shapes";
import type { PlanTexts } from "./texts/en";
import { isolated } from "../../texts/isolated";

/** A scale of marks in words, which not every page that shows a sitting has. */
type ScaleWords = (scale: MarkScale | null | undefined) => string;

/** A field of a sitting in words. */
export function shownField(sitting: Sitting, field: ChangedField, locale: string, texts: PlanTexts, inWords: ScaleWords): string {
  const moment = (iso: string | null, none: string) => (iso === null ? none : shownMoment(Date.parse(iso), locale));
  switch (field) {
    case "templateId":
      return sitting.template;
    case "startsAt":
    case "doorsAt":
      return moment(sitting[field], "");
    case "entryUntil":
      return moment(sitting.entryUntil, texts.entryDefault);
    case "endsAt":
      return moment(sitting.endsAt, texts.endDefault);
    case "start":
      return texts.starts[sitting.start];
    case "late":
      return texts.lates[sitting.late];
    case "results":
      return shownResults(sitting.results, locale, texts);
    case "perRoom":
    case "publish":
      return sitting[field] ? texts.yes : texts.no;
    case "markScale":
      return inWords(sitting.markScale);
    case "rooms":
      return sitting.rooms.map(({ name, proctors }) => (proctors.length === 0 ? name : `${isolated(name)} (${proctors.join(", ")})`)).join("; ");
    case "name":
      return sitting.name;
  }
}

/** The same of a change that is not saved yet: the fields that it has, as if they were. */
export function shownChange(
  fresh: Sitting,
  mine: SittingFields,
  field: ChangedField,
  locale: string,
  texts: PlanTexts,
  templateName: string,
  inWords: ScaleWords,
): string {
  const { rooms, doorsAt, ...rest } = mine;
  const merged = { ...fresh, ...rest, template: mine.templateId === undefined ? fresh.template : templateName } as Sitting;
  if (doorsAt != null) merged.doorsAt = doorsAt;
  if (field === "doorsAt" && doorsAt === null) return texts.doorsDefault;
  if (rooms !== undefined)
    merged.rooms = rooms.map(
      (room) =>
        ({
          ...(fresh.rooms.find(({ id }) => id === room.id) ?? {
            id: "",
            code: "",
            begunAt: null,
            candidates: 0,
            startsAt: null,
            endsAt: null,
            factor: null,
            extraMinutes: null,
          }),
          ...room,
        }) as Sitting["rooms"][number],
    );
  return shownField(merged, field, locale, texts, inWords);
}

export function shownResults(rule: string, locale: string, texts: PlanTexts): string {
  const at = parsed(rule);
  if (at !== undefined) return texts.resultsAtTime(shownMoment(at, locale));
  return rule === "now" ? texts.resultsNow : texts.resultsHeld;
}
