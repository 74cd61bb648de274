// What the record of a student says, in words. The server writes down what was and what is in a form of its own, whoever reads it;
// what has another form than is known here is shown as it is.

import { locale } from "../../texts/choice.svelte";
import { now } from "../serverClock";
import { dayAndTime, daysBetween } from "../times";
import type { RecordEvent } from "./frames";
import { incidentText, kindWord } from "./incident";
import { clockTime, deskTexts } from "./texts/texts.svelte";

const MOMENT = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;
/** The fields of plans and of entries in lists, as changes of them begin. */
const FIELDS = ["name", "templateId", "startsAt", "start", "perRoom", "doorsAt", "entryUntil", "endsAt", "late", "results", "webhookUrl", "markScale", "proctors", "email", "externalId", "room", "seat", "factor", "extraMinutes"] as const;
type Field = (typeof FIELDS)[number];
const CHANGE = new RegExp(`^(?:accommodation )?(${FIELDS.join("|")}) (.*)$`, "s");
const ANOTHER_NOTE = "another note";
const NONE = "none";

export function eventTitle({ kind, detail }: Pick<RecordEvent, "kind" | "detail">): string {
  const given = kind === "extend" ? minutesIn(detail)?.minutes : undefined;
  return deskTexts().events[given !== undefined && given < 0 ? "less" : kind] ?? kind;
}

/** What the record says beside the title: empty if that says it all. */
export function eventWords({ kind, detail }: Pick<RecordEvent, "kind" | "detail">): string {
  return (WORDS[kind]?.(detail) ?? detail).replace(MOMENT, moment);
}

/** Of today the time alone. */
function moment(iso: string): string {
  const at = Date.parse(iso);
  return daysBetween(now(), at) === 0 ? clockTime(at, true) : dayAndTime(at, now(), locale());
}

const said = () => deskTexts().recordWords;
const titleAlone = () => "";

/** By the kind of the event. Undefined for a form that is not known. */
const WORDS: Partial<Record<string, (detail: string) => string | undefined>> = {
  plan: planWords,
  accommodation: changes,
  candidate: candidateWords,
  roster: rosterWords,
  begin: (detail) => /^not begun to begun: (.+)$/.exec(detail)?.[1],
  release: titleAlone,
  call_off: titleAlone,
  admit: titleAlone,
  present: markWords,
  absent: markWords,
  extend: extendWords,
  pause: pauseWords,
  unpause: unpauseWords,
  stage: (detail) => (detail === "below-60" ? said().belowSixty : /^\d+-\d+$/.test(detail) ? said().reached(detail.replace("-", "–")) : undefined),
  finish: (detail) => (detail === "ended for everyone" ? said().forEveryone : /^\w+ to submitted: deadline /.test(detail) ? "" : undefined),
  submitted: (detail) => said().endedBy[detail],
  only_this_device: (detail) => said().devices[detail],
  reopen: reopenWords,
  late_accepted: lateWords,
  late_declined: lateWords,
  late_file: lateWords,
  incident: (detail) => {
    const [, kind, text] = /^([^:]+): (.*)$/s.exec(detail) ?? [];
    return kind === undefined ? undefined : `${kindWord(kind)}: ${incidentText({ kind, text: text ?? "" })}`;
  },
  entered: enteredWords,
  started: enteredWords,
  token: tokenWords,
  outage: outageWords,
  trouble: (detail) => detail.split(" ").map((one) => said().troubles[one] ?? one).join(", "),
};

function candidateWords(detail: string): string | undefined {
  if (detail === "not on the roster to expected") return said().putOnList;
  if (detail === "is nobody of a learning platform any more") return said().nobodyThere;
  const person = /^is (.+) of a learning platform$/s.exec(detail)?.[1];
  return person === undefined ? changes(detail) : said().isThere(person);
}

function planWords(detail: string): string | undefined {
  const [, room, rest] = /^room (.+?): (.*)$/s.exec(detail) ?? [];
  if (room === undefined || rest === undefined) return changes(detail);
  const what = rest === "added" ? said().added : rest === "removed" ? said().removed : (changes(rest) ?? rest);
  return said().ofRoom(room, what);
}

/** Several changes, of which a text may have a semicolon in it. */
function changes(detail: string): string | undefined {
  const parts: string[] = [];
  for (const part of detail.split("; ")) {
    if (part === ANOTHER_NOTE || CHANGE.test(part)) parts.push(part);
    else if (parts.length === 0) return undefined;
    else parts.push(`${parts.pop() ?? ""}; ${part}`);
  }
  return parts.map(change).join(". ");
}

function change(part: string): string {
  const [, name, values = ""] = CHANGE.exec(part) ?? [];
  if (name === undefined) return part === ANOTHER_NOTE ? said().anotherNote : part;
  const field = name as Field;
  if (field === "markScale") return scaleWords(values);
  const [before, after, more] = values.split(" to ");
  // A text may have the word between the two in it.
  if (before === undefined || after === undefined || more !== undefined) return `${said().fields[field]}: ${values}`;
  if (field === "perRoom") return after === "true" ? said().eachRoom : said().allRooms;
  if (field === "templateId") return said().anotherTemplate;
  return said().changed(said().fields[field], before === NONE ? undefined : value(field, before), after === NONE ? undefined : value(field, after));
}

/** Which marks there were, and are: the scale itself stands on the page of the sitting. */
function scaleWords(values: string): string {
  if (values.endsWith(` to ${NONE}`)) return said().noScale;
  return values.startsWith(`${NONE} to `) ? said().firstScale : said().anotherScale;
}

function value(field: Field, text: string): string {
  if (field === "factor") return deskTexts().extraTime(Number(text));
  if (field === "extraMinutes") return deskTexts().minutes(Number(text));
  return said().values[`${field} ${text}`] ?? text;
}

function rosterWords(detail: string): string | undefined {
  const counts = /^(\d+) added, (\d+) updated, (\d+) removed(?:, (\d+) nobody of a learning platform any more)?$/.exec(detail);
  if (counts !== null) return withMore(said().roster(Number(counts[1]), Number(counts[2]), Number(counts[3])), said().letGo, counts[4]);
  const undone = /^import undone: (\d+) removed, (\d+) changed back, (\d+) brought back(?:, (\d+) kept as changed since)?$/.exec(detail);
  if (undone !== null) return withMore(said().importUndone(Number(undone[1]), Number(undone[2]), Number(undone[3])), said().keptSince, undone[4]);
  const course = /^(\d+) added, (\d+) removed of a course$/.exec(detail);
  if (course !== null) return said().ofCourse(Number(course[1]), Number(course[2]));
  const [, count, classes] = /^(\d+) added of (.+)$/s.exec(detail) ?? [];
  if (count !== undefined && classes !== undefined) return said().ofClasses(Number(count), classes);
  const name = /^(.+): removed$/s.exec(detail)?.[1];
  return name === undefined ? undefined : said().taken(name);
}

/** What the server says only where there were some. */
function withMore(words: string, more: (count: number) => string, count: string | undefined): string {
  return count === undefined ? words : `${words}, ${more(Number(count))}`;
}

/** How somebody went on with another device; of those who entered, also who was signed in there. */
function tokenWords(detail: string): string | undefined {
  const code = /^with a code of (.+)$/.exec(detail)?.[1];
  if (code !== undefined) return said().movedByCode(code);
  const owner = /^signed in as (.+)$/.exec(detail)?.[1];
  if (owner !== undefined) return said().movedBySignIn(owner);
  if (detail === "entered again") return said().enteredAgain;
  const other = /^entered again, (.+)$/.exec(detail)?.[1];
  const bystander = other === undefined ? undefined : bystanderWords(other);
  return bystander === undefined ? undefined : `${said().enteredAgain}, ${bystander}`;
}

/** The device was that of somebody else. */
function bystanderWords(detail: string): string | undefined {
  const other = /^while (.+) was signed in$/.exec(detail)?.[1];
  return other === undefined ? undefined : said().whileSignedIn(other);
}

/** By which channel, with which account, and whose sign-in was in the browser. */
function enteredWords(detail: string): string | undefined {
  const [channel, ...rest] = detail.split(", ");
  const way = said().channels[channel ?? ""];
  if (way === undefined) return undefined;
  return [way, ...rest.map((part) => bystanderWords(part) ?? part)].filter((part) => part !== "").join(", ");
}

function outageWords(detail: string): string | undefined {
  const [, from, to, seconds] = /^nothing could be saved from (\S+) to (\S+): (\d+) s given$/.exec(detail) ?? [];
  if (from === undefined || to === undefined) return undefined;
  const [minutes, left] = [Math.floor(Number(seconds) / 60), Number(seconds) % 60];
  return said().outage(from, to, `${deskTexts().shortMinutes(minutes)} ${deskTexts().shortSeconds(left)}`);
}

function markWords(detail: string): string | undefined {
  const before = /^(.+) to (?:present|absent)$/.exec(detail)?.[1];
  if (before === undefined) return undefined;
  return before === "not marked" ? "" : said().before(before === "present" ? deskTexts().presentOne : deskTexts().absentOne);
}

/** Those of an order for one, with the end that it has made, or of one for everyone. */
function minutesIn(detail: string): { minutes: number; end?: string | undefined; isForAll?: boolean } | undefined {
  const [, before, after] = /^(-?\d+) to (-?\d+) minutes for everyone$/.exec(detail) ?? [];
  if (before !== undefined) return { minutes: Number(after) - Number(before), isForAll: true };
  const [, minutes, end] = /^(-?\d+)(?: minutes(?:: deadline .+?(?: to (.+))?)?)?$/.exec(detail) ?? [];
  return minutes === undefined ? undefined : { minutes: Number(minutes), end };
}

function extendWords(detail: string): string | undefined {
  const found = minutesIn(detail);
  if (found === undefined) return undefined;
  const minutes = deskTexts().minutes(Math.abs(found.minutes));
  if (found.isForAll) return `${minutes} ${said().forEveryone}`;
  return found.end === undefined ? minutes : `${minutes}: ${said().endsNow(found.end)}`;
}

function pauseWords(detail: string): string | undefined {
  const [, from, word] = /^(\w+) to paused(?: \((.*)\))?(?:: deadline .*)?$/s.exec(detail) ?? [];
  if (from === undefined) return undefined;
  return [from === "running" ? said().forEveryone : "", word ?? ""].filter((part) => part !== "").join(": ");
}

function unpauseWords(detail: string): string | undefined {
  if (detail === "paused to running") return said().forEveryone;
  if (detail.startsWith("paused to paused by another order")) return said().stillPaused;
  const end = /^paused to active: deadline .+ to (.+)$/.exec(detail)?.[1];
  return end === undefined ? undefined : said().endsNow(end);
}

function reopenWords(detail: string): string | undefined {
  const [, minutes, seconds, seen] = /^submitted \(\w*\) to (\d+) min (\d+) s left(; the student had seen the answers)?$/.exec(detail) ?? [];
  if (minutes === undefined) return undefined;
  const left = deskTexts().timeLeft(`${deskTexts().shortMinutes(Number(minutes))} ${deskTexts().shortSeconds(Number(seconds))}`);
  return seen === undefined ? left : `${left}. ${said().hadSeen}`;
}

function lateWords(detail: string): string | undefined {
  const [, count, known, released, comment] = /^(\d+) changes(; although (?:the student had seen the answers|(the results had been released)))?(?:; (.*))?$/s.exec(detail) ?? [];
  if (count === undefined) return undefined;
  const late = released === undefined ? said().hadSeen : said().hadBeenReleased;
  return [said().lateChanges(Number(count)), known === undefined ? "" : late, comment ?? ""].filter((part) => part !== "").join(". ");
}
