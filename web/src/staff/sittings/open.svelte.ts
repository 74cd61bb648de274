// One sitting as the page has it open: read again and again, and changed in the version that was seen. When somebody else
// was faster, the change waits until the user has seen what theirs is.

import { failure, get, send, upload, type Answer } from "../api";
import { complain, offerUndo } from "../undo.svelte";
import type { LastImport, OneCandidate, OneSitting, RosterReport } from "../../api/schema";
import { MINUTE } from "../moments";
import type { ListSending, ListTarget } from "../roster/target";
import { differences, inverse, inverseOfCandidate, isAsSeen, overlap, type SittingDifference } from "./differences";
import { whoAndWhy } from "../unchanged";
import { type Candidate, type CandidateFields, type EndsMoved, type Explained, type Sitting, type SittingFields } from "./shapes";
import { planTexts } from "./texts/texts.svelte";

const CANDIDATE = "/api/admin/sittings/{id}/candidates/{candidateId}";
const CHANGED = 412;
const HAS_CHANGED: Answer<never> = { kind: "refused", status: CHANGED, error: "Sitting has changed", body: undefined };

/** A change that meets one of somebody else. */
export interface Meeting {
  mine: SittingFields;
  theirs: SittingDifference[];
  /** The sitting as it is now. */
  fresh: Sitting;
  decide: (isMine: boolean) => void;
}

/** What became of a change: `left` if the user has left what somebody else has saved. */
export type SaveOutcome = "saved" | "left" | "failed";

/** What was done, with what it did to those who have entered; who keeps the end that they had is named. */
function sayMoved(said: string, ends: EndsMoved | undefined): string {
  if (ends === undefined) return said;
  const texts = planTexts();
  const named = { whys: texts.endsLeftWhys, nameless: texts.nameless, andMore: texts.andMore };
  if (ends.unchangedCount > 0) complain(texts.endsLeft(whoAndWhy(ends, named)));
  return ends.count > 0 ? `${said} ${planTexts().endsMoved(ends.count)}` : said;
}

export class OpenSitting implements ListTarget {
  sitting = $state.raw<Sitting>();
  candidates = $state.raw<Candidate[]>([]);
  /** As long as it can be undone. */
  lastImport = $state.raw<LastImport>();
  /** When both were read, on the clock of `performance`. */
  readAt = $state(0);
  failed = $state.raw<Answer<unknown>>();
  meeting = $state.raw<Meeting>();
  #counted = "";
  /** The version that the last change of a candidate has made. */
  #made = 0;

  constructor(readonly id: string) {}

  get version(): number | undefined {
    return this.sitting?.version;
  }

  /** Reads the sitting, and its roster if anything of it can have changed; with `isWhole` in any case. */
  async read(isWhole = false): Promise<void> {
    const read = await get("/api/admin/sittings/{id}", { id: this.id });
    if (read.kind !== "done") return void (this.failed = read);
    const { sitting } = read.value;
    // An answer that was overtaken by a later one says nothing new.
    if (sitting.version < (this.sitting?.version ?? 0)) return;
    const counted = JSON.stringify([sitting.version, sitting.state, sitting.counts, Math.round(sitting.grantedMs / MINUTE)]);
    if (isWhole || counted !== this.#counted) {
      const roster = await get("/api/admin/sittings/{id}/candidates", { id: this.id });
      if (roster.kind !== "done") return void (this.failed = roster);
      this.candidates = roster.value.candidates;
      this.lastImport = roster.value.lastImport;
      this.#counted = counted;
    }
    this.sitting = sitting;
    [this.readAt, this.failed] = [performance.now(), undefined];
  }

  /**
   * Changes the sitting as `base` showed it. Resolves when it is changed, or when the user has decided that it is not; says
   * what went wrong, and offers to undo what went well.
   */
  async change(mine: SittingFields, said: string, base: Sitting): Promise<SaveOutcome> {
    let answer = await this.#patch(mine, base);
    while (answer.kind === "met") {
      const { fresh, theirs } = answer;
      const isMine = await new Promise<boolean>((decide) => (this.meeting = { mine, theirs, fresh, decide }));
      this.meeting = undefined;
      this.sitting = fresh;
      if (!isMine) return "left";
      base = fresh;
      answer = await this.#patch(mine, base);
    }
    if (answer.kind !== "done") {
      complain(failure(answer));
      return "failed";
    }
    const before = base;
    const after = answer.value.sitting;
    this.#took(after);
    offerUndo(sayMoved(said, answer.value.ends), () => this.#undo(inverse(before, mine), after));
    return "saved";
  }

  /** One change of many: what meets a change of somebody else is refused. The answer has what takes it back. */
  async changeAmongMany(mine: SittingFields, base: Sitting): Promise<Answer<() => Promise<Answer<unknown>>>> {
    // What goes along depends on whether the doors are open, which is no field of the plan.
    const answer = await this.#patch(mine, base, (fresh) => fresh.openedAt === base.openedAt && fresh.state === base.state);
    if (answer.kind === "met") return HAS_CHANGED;
    if (answer.kind !== "done") return answer;
    const after = answer.value.sitting;
    return { kind: "done", value: () => this.#undo(inverse(base, mine), after) };
  }

  /**
   * A request that can't be undone. With `base` it is meant for the plan that was seen: on the morning of an exam versions
   * come and go with walk-ins and slips, and that must hold nobody up.
   */
  async order<T>(act: (version: number | undefined) => Promise<Answer<T>>, base?: Sitting): Promise<Answer<T>> {
    const answer = await act(base?.version);
    if (base !== undefined && answer.kind === "refused" && answer.status === CHANGED) {
      await this.read();
      const fresh = this.sitting;
      const isSamePlan = fresh !== undefined && fresh.version > base.version && differences(base, fresh).length === 0;
      return isSamePlan ? this.order(act, fresh) : answer;
    }
    const changed = answer.kind === "done" ? (answer.value as Partial<OneSitting> | undefined)?.sitting : undefined;
    if (changed !== undefined) this.#took(changed);
    return answer;
  }

  putList(list: Blob | string, contentType: string, { version, isDryRun, class_ }: ListSending): Promise<Answer<RosterReport>> {
    const params = { id: this.id, dryRun: isDryRun || undefined, class: class_ };
    return upload("PUT", "/api/admin/sittings/{id}/candidates", list, contentType, { version, params });
  }

  /** Takes the last import back, if nobody has changed the sitting since that version. */
  async undoList(version: number | undefined): Promise<Answer<unknown>> {
    const answer = await send("POST", "/api/admin/sittings/{id}/candidates/undo", undefined, { version, params: { id: this.id } });
    await this.read(true);
    return answer;
  }

  /** Adds the people of classes. Whoever is there already stays as they are. */
  addClasses(classes: string[], version: number | undefined, isDryRun: boolean): Promise<Answer<RosterReport>> {
    return send("POST", "/api/admin/sittings/{id}/classes", { classes }, { version, params: { id: this.id, dryRun: isDryRun || undefined } });
  }

  explain(candidate: Candidate): Promise<Answer<{ explain: Explained }>> {
    return get("/api/admin/sittings/{id}/candidates/{candidateId}/explain", this.#of(candidate));
  }

  /**
   * Changes one candidate as they were seen in the plan of `base`; `explained` says what is their own, so that it can be undone.
   */
  async changeCandidate(before: Candidate, explained: Explained, mine: CandidateFields, said: string, base: Sitting): Promise<Answer<OneCandidate>> {
    const isSame = (fresh: Sitting) => differences(base, fresh).length === 0 && isAsSeen(before, this.#candidate(before.id));
    const answer = await this.#patchCandidate(before.id, mine, base.version, isSame);
    await this.read();
    if (answer.kind === "done") {
      const { candidate: after, ends, letGo } = answer.value;
      if (letGo === true) complain(planTexts().candidateLetGo(after.name));
      offerUndo(sayMoved(said, ends), async () => {
        const undone = await this.#takeBack(after, inverseOfCandidate(before, explained, mine), answer.version ?? 0);
        await this.read();
        return undone;
      });
    }
    return answer;
  }

  async addCandidate(fields: CandidateFields): Promise<Answer<OneCandidate>> {
    const answer = await send("POST", "/api/admin/sittings/{id}/candidates", fields, { params: { id: this.id } });
    await this.read();
    return answer;
  }

  async removeCandidate(candidate: Candidate): Promise<Answer<unknown>> {
    const answer = await send("DELETE", CANDIDATE, undefined, { params: this.#of(candidate) });
    await this.read();
    return answer;
  }

  /** For many one after the other, after which the caller reads the sitting once. */
  moveCandidate(candidate: Candidate, room: string | null): Promise<Answer<unknown>> {
    return send("PATCH", CANDIDATE, { room }, { params: this.#of(candidate) });
  }

  /** Takes such a move to `room` back, unless somebody has moved them on. For many too, after the sitting was read. */
  async moveBack(before: Candidate, room: string): Promise<Answer<unknown>> {
    const after = { ...before, room };
    if (!isAsSeen(after, this.#candidate(before.id), ["room"])) return HAS_CHANGED;
    return this.#takeBack(after, { room: before.room }, Math.max(this.#made, this.sitting?.version ?? 0));
  }

  dropCandidate(candidate: Candidate): Promise<Answer<unknown>> {
    return send("DELETE", CANDIDATE, undefined, { params: this.#of(candidate) });
  }

  #took(sitting: Sitting): void {
    this.sitting = sitting;
    this.readAt = performance.now();
    void this.read();
  }

  /** A version that differs in nothing that is planned, such as by a longer roster, is in nobody's way. */
  async #patch(mine: SittingFields, base: Sitting, isStill: (fresh: Sitting) => boolean = () => true): Promise<Answer<OneSitting> | { kind: "met"; fresh: Sitting; theirs: SittingDifference[] }> {
    const answer = await send("PATCH", "/api/admin/sittings/{id}", mine, { version: base.version, params: { id: this.id } });
    if (answer.kind !== "refused" || answer.status !== CHANGED) return answer;
    const read = await get("/api/admin/sittings/{id}", { id: this.id });
    if (read.kind !== "done") return read;
    const fresh = read.value.sitting;
    const theirs = differences(base, fresh);
    return theirs.length === 0 && isStill(fresh) ? this.#patch(mine, fresh, isStill) : { kind: "met", fresh, theirs };
  }

  #of({ id }: Pick<Candidate, "id">) {
    return { id: this.id, candidateId: id };
  }

  #candidate(id: string): Candidate | undefined {
    return this.candidates.find((one) => one.id === id);
  }

  /** A version that differs in nothing that `isSame` asks about, such as by a walk-in or by slips, is in nobody's way. */
  async #patchCandidate(id: string, fields: CandidateFields, version: number, isSame: (fresh: Sitting) => boolean): Promise<Answer<OneCandidate>> {
    const answer = await send("PATCH", CANDIDATE, fields, { version, params: this.#of({ id }) });
    if (answer.kind === "done") this.#made = answer.version ?? 0;
    if (answer.kind !== "refused" || answer.status !== CHANGED) return answer;
    await this.read();
    const fresh = this.sitting;
    return fresh !== undefined && fresh.version > version && isSame(fresh) ? this.#patchCandidate(id, fields, fresh.version, isSame) : answer;
  }

  /** Sets fields of a candidate back who was left as `after`, in the version that was made then. */
  #takeBack(after: Candidate, back: CandidateFields, version: number): Promise<Answer<OneCandidate>> {
    const fields = Object.keys(back) as (keyof CandidateFields)[];
    return this.#patchCandidate(after.id, back, version, () => isAsSeen(after, this.#candidate(after.id), fields));
  }

  /** What somebody else has changed since is not taken back. */
  async #undo(back: SittingFields, after: Sitting): Promise<Answer<unknown>> {
    let answer = await this.#patch(back, after);
    if (answer.kind === "met" && overlap(back, answer.theirs).length === 0) answer = await this.#patch(back, answer.fresh);
    if (answer.kind === "met") return HAS_CHANGED;
    if (answer.kind === "done") this.#took(answer.value.sitting);
    return answer;
  }
}
