// The settings of the school: what the server keeps, what a draft of them would change, and what is wrong with it.

import type { MarkScale } from "../../marks/scale";
import type { Language } from "../../texts/choice.svelte";
import { chosenScale, isScaleWrong, scaleDraft, type ScaleDraft } from "../marks/draft";
import { isSameScale } from "../marks/presets";
import { hexIn, isReadable } from "./colour";
import { isZone } from "./zones";

export const SCHOOL = "/api/admin/school";
export const SCHOOL_CREST = `${SCHOOL}/crest`;
export const SCHOOL_NAME_MAX = 120;
export const INCIDENT_KINDS_MAX = 20;
export const INCIDENT_KIND_MAX = 50;

export interface SchoolSettings {
  /** Empty if the school has given none. */
  name: string;
  /** Such as `#2348c5`; in a draft, whatever is typed. */
  colour: string;
  /** Those that the pages offer, the first one first. */
  languages: Language[];
  timeZone: string;
  /** Kinds of incidents beside the usual ones; in a draft the lines as they are typed. */
  incidentKinds: string[];
  /** The scale of marks that sittings and templates are offered; null for none. */
  markScale: MarkScale | null;
}

/** The settings as they are typed. */
export interface SettingsEntries extends Omit<SchoolSettings, "markScale"> {
  marks: ScaleDraft;
}

export interface StoredSchool extends SchoolSettings {
  /** Where the picture is; empty if there is none. */
  crest: string;
  /** Grows with each change. */
  revision: number;
}

export type SettingsField = keyof SchoolSettings;
export const SETTINGS_FIELDS: SettingsField[] = ["name", "colour", "languages", "timeZone", "incidentKinds", "markScale"];

export type SettingsFault = "longName" | "noColour" | "paleColour" | "noLanguage" | "noZone" | "manyKinds" | "longKind" | "twiceKind" | "wrongScale";

/** The settings alone, as a draft to be changed. */
export function settingsOf({ name, colour, languages, timeZone, incidentKinds, markScale }: SchoolSettings): SettingsEntries {
  return { name, colour, languages: [...languages], timeZone, incidentKinds: [...incidentKinds], marks: scaleDraft(markScale) };
}

/** The draft as it is sent. */
export function sentOf({ name, colour, languages, timeZone, incidentKinds, marks }: SettingsEntries): SchoolSettings {
  const kinds = incidentKinds.map((kind) => kind.trim()).filter((kind) => kind !== "");
  return { name: name.trim(), colour: hexIn(colour) ?? colour, languages: [...languages], timeZone: timeZone.trim(), incidentKinds: kinds, markScale: chosenScale(marks) };
}

export function isSameSetting(field: SettingsField, one: SchoolSettings, other: SchoolSettings): boolean {
  if (field === "markScale") return isSameScale(one.markScale, other.markScale);
  return JSON.stringify(one[field]) === JSON.stringify(other[field]);
}

/** What the draft changes, as it is sent. */
export function settingsChanges(school: SchoolSettings, draft: SettingsEntries): Partial<SchoolSettings> {
  const sent = sentOf(draft);
  return Object.fromEntries(SETTINGS_FIELDS.filter((field) => !isSameSetting(field, school, sent)).map((field) => [field, sent[field]]));
}

/** The draft after the school has changed below it: fields that nobody has touched follow, and so do those that are saved. */
export function rebasedSettings(draft: SettingsEntries, from: SchoolSettings, to: SchoolSettings): SettingsEntries {
  const sent = sentOf(draft);
  const isTheDrafts = (field: SettingsField) => !isSameSetting(field, sent, from) && !isSameSetting(field, sent, to);
  const theirs = settingsOf(to);
  const moved = SETTINGS_FIELDS.map((field) => {
    const name = field === "markScale" ? "marks" : field;
    return [name, (isTheDrafts(field) ? draft : theirs)[name]];
  });
  return Object.fromEntries(moved) as unknown as SettingsEntries;
}

export function settingsFaults(draft: SettingsEntries): Partial<Record<SettingsField, SettingsFault>> {
  const faults: Partial<Record<SettingsField, SettingsFault>> = {};
  const { name, colour, languages, timeZone } = draft;
  const { incidentKinds } = sentOf(draft);
  const hex = hexIn(colour);
  if ([...name.trim()].length > SCHOOL_NAME_MAX) faults.name = "longName";
  if (hex === undefined) faults.colour = "noColour";
  else if (!isReadable(hex)) faults.colour = "paleColour";
  if (languages.length === 0) faults.languages = "noLanguage";
  if (!isZone(timeZone.trim())) faults.timeZone = "noZone";
  if (incidentKinds.length > INCIDENT_KINDS_MAX) faults.incidentKinds = "manyKinds";
  else if (incidentKinds.some((kind) => [...kind].length > INCIDENT_KIND_MAX)) faults.incidentKinds = "longKind";
  else if (new Set(incidentKinds).size < incidentKinds.length) faults.incidentKinds = "twiceKind";
  if (isScaleWrong(draft.marks)) faults.markScale = "wrongScale";
  return faults;
}

/** The languages with this one offered, after the others, or not offered. */
export function withLanguage(languages: Language[], language: Language, isOffered: boolean): Language[] {
  if (isOffered) return languages.includes(language) ? languages : [...languages, language];
  return languages.filter((other) => other !== language);
}

export function withFirst(languages: Language[], first: Language): Language[] {
  return [first, ...languages.filter((other) => other !== first)];
}
