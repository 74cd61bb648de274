// The draft of the school's settings: read, changed, saved if nobody else has changed them meanwhile, and taken back.

import { failure, get, send, upload, type Answer } from "../api";
import { offerUndo, tell } from "../undo.svelte";
import type { CrestChoice } from "./crest";
import {
  settingsChanges,
  settingsFaults,
  isSameSetting,
  rebasedSettings,
  SCHOOL,
  SCHOOL_CREST,
  SETTINGS_FIELDS,
  settingsOf,
  type StoredSchool,
  type SchoolSettings,
  type SettingsEntries,
  type SettingsFault,
  type SettingsField,
} from "./settings";
import { schoolTexts } from "./texts/texts.svelte";

const DONE: Answer<undefined> = { kind: "done", value: undefined };
const KEPT: CrestChoice = { kind: "kept" };

export class SettingsDraft {
  /** As the server had it when the draft was begun, or when somebody else's change was shown. */
  known = $state.raw<StoredSchool>();
  draft = $state.raw<SettingsEntries>();
  crest = $state.raw<CrestChoice>(KEPT);
  /** As it is now, when somebody else has changed it since. */
  theirs = $state.raw<StoredSchool>();
  failed = $state.raw<Answer<unknown>>();
  problem = $state("");
  isBusy = $state(false);

  readonly changes: Partial<SchoolSettings> = $derived.by(() => {
    return this.known === undefined || this.draft === undefined ? {} : settingsChanges(this.known, this.draft);
  });
  /** What the server has already is right, whatever this browser knows of it. */
  readonly faults: Partial<Record<SettingsField, SettingsFault>> = $derived.by(() => {
    const all = this.draft === undefined ? {} : settingsFaults(this.draft);
    return Object.fromEntries(Object.entries(all).filter(([field]) => field in this.changes));
  });
  readonly isChanged = $derived(Object.keys(this.changes).length > 0 || this.crest.kind !== "kept");

  async read(): Promise<void> {
    const answer = await get(SCHOOL);
    if (answer.kind !== "done") return void (this.failed = answer);
    this.failed = undefined;
    this.#learn(answer.value);
  }

  set(changes: Partial<SettingsEntries>): void {
    if (this.draft !== undefined) this.draft = { ...this.draft, ...changes };
  }

  discard(): void {
    if (this.known === undefined) return;
    [this.draft, this.crest, this.problem] = [settingsOf(this.known), KEPT, ""];
  }

  /** What somebody else has made of it is what counts, and what was typed here is given up. */
  takeTheirs(): void {
    if (this.theirs === undefined) return;
    [this.known, this.theirs] = [this.theirs, undefined];
    this.discard();
  }

  /** Goes on from what somebody else has made of it, with the own changes over it. */
  async saveOver(): Promise<void> {
    if (this.theirs === undefined) return;
    this.#learn(this.theirs);
    this.theirs = undefined;
    await this.save();
  }

  async save(): Promise<void> {
    if (this.isBusy || this.known === undefined || this.draft === undefined) return;
    if (Object.keys(this.faults).length > 0) return void (this.problem = schoolTexts().mendFirst);
    if (!this.isChanged) return;
    this.isBusy = true;
    this.problem = "";
    const answer = await this.#store(this.known, this.changes);
    if (answer.kind === "refused" && answer.status === 412) await this.#meet();
    else this.problem = reasonOf(answer);
    this.isBusy = false;
  }

  /** Sends the changes and then the crest, each if there is one, and offers to take back what was done. */
  async #store(before: StoredSchool, changes: Partial<SchoolSettings>): Promise<Answer<unknown>> {
    const { crest } = this;
    const old = crest.kind === "kept" ? undefined : await pictureOf(before.crest);
    const hasChanges = Object.keys(changes).length > 0;
    let answer = hasChanges ? await send("PATCH", SCHOOL, changes, { version: before.revision }) : await unchanged(before);
    if (answer.kind !== "done") return answer;
    let isPictureSent = false;
    if (crest.kind !== "kept") {
      answer = await putCrest(crest.kind === "chosen" ? crest.file : undefined);
      isPictureSent = answer.kind === "done";
      if (isPictureSent && this.crest === crest) this.crest = KEPT;
    }
    await this.read();
    // A picture that could not be read can't be put back.
    const isPictureKept = isPictureSent && (before.crest === "" || old !== undefined);
    if (hasChanges || isPictureSent) this.#offer(before, changes, isPictureKept ? { old } : undefined);
    return answer;
  }

  #offer(before: StoredSchool, changes: Partial<SchoolSettings>, picture: { old: Blob | undefined } | undefined): void {
    const revision = this.known?.revision ?? before.revision;
    const back = Object.fromEntries(SETTINGS_FIELDS.filter((field) => field in changes).map((field) => [field, before[field]]));
    const hasFields = Object.keys(back).length > 0;
    if (!hasFields && picture === undefined) return tell(schoolTexts().settingsSaved);
    offerUndo(schoolTexts().settingsSaved, async () => {
      let answer: Answer<unknown> = DONE;
      if (hasFields) answer = await send("PATCH", SCHOOL, back, { version: revision });
      if (answer.kind === "done" && picture !== undefined) answer = await putCrest(picture.old);
      await this.read();
      return answer;
    });
  }

  /** Reads what somebody else has made of it, and leaves the choice. */
  async #meet(): Promise<void> {
    const answer = await get(SCHOOL);
    if (answer.kind === "done") this.theirs = answer.value;
    else this.problem = failure(answer);
  }

  /** The draft follows where nothing was typed. */
  #learn(school: StoredSchool): void {
    const { known, draft } = this;
    this.draft = known === undefined || draft === undefined ? settingsOf(school) : rebasedSettings(draft, known, school);
    this.known = school;
  }
}

/** Whether nobody has changed the school since: its crest can be replaced without saying which version is meant. */
async function unchanged(before: StoredSchool): Promise<Answer<unknown>> {
  const answer = await get(SCHOOL);
  if (answer.kind !== "done") return answer;
  const isAsBefore = answer.value.crest === before.crest && SETTINGS_FIELDS.every((field) => isSameSetting(field, answer.value, before));
  return isAsBefore ? DONE : { kind: "refused", status: 412, error: "", body: undefined };
}

/** Without a picture, there is none any more. */
function putCrest(picture: Blob | undefined): Promise<Answer<unknown>> {
  return picture === undefined ? send("DELETE", SCHOOL_CREST) : upload("PUT", SCHOOL_CREST, picture, picture.type);
}

/** The picture at this address, to be put back; undefined if there is none. */
async function pictureOf(address: string): Promise<Blob | undefined> {
  if (address === "") return undefined;
  const response = await fetch(address).catch(() => undefined);
  return response?.ok === true ? response.blob() : undefined;
}

/** What did not work, in words: the server names the field. */
function reasonOf(answer: Answer<unknown>): string {
  if (answer.kind !== "refused") return failure(answer);
  const texts = schoolTexts();
  if (answer.status === 413) return texts.crestFaults.large;
  const field = answer.status === 400 ? /^Invalid (\w+)$/.exec(answer.error)?.[1] : undefined;
  return texts.refusedFields[field as keyof typeof texts.refusedFields] ?? failure(answer);
}
