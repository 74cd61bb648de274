// The state of one desk: the rows as they were painted last, what the connection says, and what is found in the rows. Rows are
// painted once a frame; what has to look at all of them is found anew twice a second: a part on each beat and the rest between
// two, for shorter frames.

import { SvelteMap, SvelteSet } from "svelte/reactivity";
import { get } from "../api";
import { isSignInOver, me, signedInAgain } from "../me.svelte";
import type { Hall } from "../halls";
import { note as noteTime, now } from "../serverClock";
import { second } from "../ticks.svelte";
import { attentions, type Attention } from "./attention";
import { endsOf } from "./ends";
import { faultsNow, goneOf, type RoomFault } from "./faults";
import type { Facts, Order } from "./frames";
import { LastOrders } from "./last_orders.svelte";
import { Notes } from "./notes.svelte";
import type { OrderOutcome } from "./orders";
import { Answered } from "./answered.svelte";
import { offersOf, type Offer } from "./outages";
import { reach, timing } from "./reach";
import { readIncidents, readSitting, readTemplateName } from "./readings";
import { Repeats } from "./repeats";
import { Reversals } from "./reversals.svelte";
import { roomQuery, roomNameOf } from "./room";
import { Roster } from "./roster";
import { byCandidate, bySeat, bySession, type Row } from "./row";
import { begunAt, mayBegin, startsAt, type WatchedSitting } from "./sitting";
import { daySteps } from "./steps";
import { Stored } from "./stored";
import { isFresh, isTrusted } from "./trust";
import { Unheard } from "./unheard.svelte";
import { isHolding, unreadyReasons, type Unready } from "./unready";
import { Watcher, type Contact } from "./watcher";

const BEAT_MS = 500;
/** In a smaller room everyone's progress is little, and comes at once. */
const VIEW_FROM_ROWS = 300;
/** Who gives up a view is sent the whole room, so a room that changes by a few rows keeps its view. */
const VIEW_UNTIL_ROWS = 250;
const VIEW_ROWS_MAX = 500;
/** The plan is read again this often: who waits for the beginning, or for a new time, sees it soon. */
const PLAN_EVERY_MS = 10_000;
const STORED_EVERY_MS = 3_000;
/** Why an order was not given for which nobody wanted to sign in. */
export const SIGN_IN = "sign_in";

export class Desk {
  readonly hall: Hall;
  readonly isSitting: boolean;
  /** Whom this desk has marked: their rows say so only a moment after the answer. */
  readonly marked = new Set<string>();
  readonly selected = new SvelteSet<string>();
  readonly roster: Roster;
  readonly repeats = new Repeats(timing);
  readonly reversals = new Reversals(timing);
  readonly lastOrders = new LastOrders(timing);
  /** What anybody has noted of what is watched. */
  readonly notes: Notes;
  /** The outages for which this desk has given time, or does not want to. */
  readonly answered: Answered;
  /** Whose device had no connection when their test ended. */
  readonly unheard: Unheard;
  /** What the server says of the room besides its rows. */
  facts = $state.raw<Facts>({});
  /** Whose take-over somebody here has looked at: when that was, by key. */
  readonly looked = new SvelteMap<string, string>();
  faults = $state.raw<readonly RoomFault[]>([]);
  contact = $state.raw<Contact>({ kind: "connecting" });
  /** When the picture was true, on the clock of `performance`. */
  heardAt = $state<number>();
  hasPicture = $state(false);
  ordersWaiting = $state(0);
  sitting = $state.raw<WatchedSitting>();
  templateName = $state("");
  /** The server has taken the order to begin; the plan and the rows say so a moment later. */
  isBeginGiven = $state(false);
  /** Count frames in which rows have changed, beats, and the moments between beats: whoever reads rows reads one of them too. */
  #painted = $state(0);
  #beat = $state(0);
  #offBeat = $state(0);
  #hasView = false;
  #shape = $state(0);
  /** The rows have been said once; they are the picture when they are painted. */
  #isHeard = false;
  #storedCount = $state(0);
  #watcher: Watcher;
  #stored: Stored;
  #frame: number | undefined;
  #planAt = -Infinity;
  #storedAt = -Infinity;

  constructor(hall: Hall) {
    this.hall = hall;
    this.isSitting = hall.kind === "sitting";
    const room = roomNameOf(hall);
    this.answered = new Answered(roomQuery(room));
    this.notes = new Notes(async () => (hall.kind === "sitting" ? readIncidents(hall.sittingId, hall.room) : undefined), () => me()?.email);
    this.unheard = new Unheard(roomQuery(room));
    this.roster = new Roster(this.isSitting ? byCandidate : bySession, () => this.#paintSoon(), this.unheard);
    this.#watcher = new Watcher(room, this.roster, reach, timing, {
      contact: (contact) => {
        this.contact = contact;
        if (contact.kind === "ended" && contact.why === "signedOut") void this.#comeBack();
      },
      heard: (serverTime, at) => {
        noteTime(serverTime, 0, 500);
        this.heardAt = at;
        this.#isHeard = true;
        if (!this.hasPicture) this.#paintSoon();
      },
      said: (facts) => {
        // It comes with each message, and hardly ever is another one.
        if (JSON.stringify(facts) !== JSON.stringify(this.facts)) this.facts = facts;
      },
      waiting: (count) => (this.ordersWaiting = count),
    });
    this.#stored = new Stored({
      candidates: () => this.#storedCandidates(),
      session: async (id) => {
        const answer = await get("/api/live/sessions/{id}/events", { id });
        return answer.kind === "done" ? answer.value.events.some(({ kind }) => kind === "submitted") : undefined;
      },
    });
  }

  /** Connects. Returns how to leave. */
  open(): () => void {
    this.#watcher.open();
    void this.readPlan();
    let isOff = false;
    const beat = setInterval(() => {
      if (isOff) this.#onOffBeat();
      else this.#onBeat();
      isOff = !isOff;
    }, BEAT_MS / 2);
    const hurry = () => document.visibilityState === "visible" && this.#watcher.hurry();
    addEventListener("online", hurry);
    document.addEventListener("visibilitychange", hurry);
    return () => {
      clearInterval(beat);
      removeEventListener("online", hurry);
      document.removeEventListener("visibilitychange", hurry);
      if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
      this.#watcher.close();
      this.lastOrders.end();
    };
  }

  hurry(): void {
    this.#watcher.hurry();
  }

  /** Whether nothing new comes, and no order goes out, before whoever watches has signed in again. */
  get isSignedOut(): boolean {
    return isSignInOver() || (this.contact.kind === "ended" && this.contact.why === "signedOut");
  }

  /** An order for which somebody has to sign in first is given when they have, and not at all if they do not want to. */
  async give(order: Order): Promise<OrderOutcome> {
    if (this.isSignedOut && !(await (order.type === "history" ? signedInAgain("record") : signedInAgain()))) {
      return { kind: "refused", code: SIGN_IN, error: "" };
    }
    return this.#watcher.give(order);
  }

  /** The picture stays as it was, and goes on from there. Orders that were on their way are asked about: they would be late. */
  async #comeBack(): Promise<void> {
    if (this.ordersWaiting > 0 && !(await signedInAgain())) this.#watcher.giveUpOrders();
    if (await signedInAgain("desk")) this.#watcher.resume();
  }

  get isFresh(): boolean {
    return isFresh(this.contact, this.heardAt, second());
  }

  /** Whether what is shown may be acted on for everyone at once. */
  get isTrusted(): boolean {
    return isTrusted(this.contact, this.heardAt, second());
  }

  get room(): string | undefined {
    return this.hall.kind === "sitting" ? this.hall.room : undefined;
  }

  get name(): string {
    if (this.hall.kind === "sitting") return this.sitting?.name ?? "";
    return this.hall.kind === "template" ? this.templateName : "";
  }

  /** A row as it was painted last. */
  row(key: string): Row | undefined {
    void this.#painted;
    return this.roster.rows.get(key);
  }

  get counts() {
    void this.#painted;
    return { ...this.roster.counts };
  }

  get heat() {
    void this.#offBeat;
    const { counted } = this.roster;
    if (counted !== undefined) return { rows: counted.withProgress, questions: counted.questions.map(([at, answered]) => ({ at, answered })) };
    return { rows: this.roster.heat.rows, questions: this.roster.heat.questions.map((question) => ({ ...question })) };
  }

  /** Every key, by seat. */
  seated = $derived.by(() => {
    void this.#shape;
    return [...this.roster.rows].sort(([, one], [, other]) => bySeat(one, other)).map(([key]) => key);
  });

  /** Whether everyone sits in one room, so that its name need not stand beside each seat. */
  isOneRoom = $derived.by(() => {
    void this.#shape;
    const rooms = new Set<string | undefined>();
    for (const { room } of this.roster.rows.values()) {
      rooms.add(room);
      if (rooms.size > 1) return false;
    }
    return true;
  });

  /** All rows, by seat; `beat` is enough for lists that filter. */
  rowsOnBeat(): Row[] {
    void this.#beat;
    return this.seated.map((key) => this.roster.rows.get(key)).filter((row) => row !== undefined);
  }

  attention: Attention[] = $derived.by(() => {
    void this.#beat;
    return attentions(this.seated, this.roster.rows, this.roster.offlineSince, { now: now(), hasBegun: this.hasBegun, looked: this.looked, unheard: this.unheard });
  });
  byKey = $derived(new Map(this.attention.map((one) => [one.key, one])));
  /** Those who are named one by one: whoever is in a fault of many is not. */
  named: Attention[] = $derived.by(() => {
    if (this.faults.length === 0) return this.attention;
    const inFaults = new Set(this.faults.flatMap(({ keys }) => [...keys]));
    return this.attention.filter(({ key }) => !inFaults.has(key));
  });
  /** Time in which the server was away, and to whom it may be given. */
  offers: Offer[] = $derived.by(() => {
    const { outages, standing } = this.facts;
    if (outages === undefined) return [];
    void this.#beat;
    return offersOf(outages, this.roster.rows, standing, (from) => this.answered.has(from));
  });
  /** How many entries wait for somebody to look. */
  attentionCount = $derived(this.offers.length + this.faults.length + this.named.length);

  /** Who is not ready, and why. */
  unready: { row: Row; reasons: Unready[] }[] = $derived.by(() => {
    if (!this.isSitting || this.hasBegun) return [];
    return this.rowsOnBeat()
      .map((row) => ({ row, reasons: unreadyReasons(row) }))
      .filter(({ reasons }) => reasons.length > 0);
  });

  begunAt = $derived.by(() => {
    void this.#beat;
    return this.isSitting ? begunAt(this.sitting, this.room, this.roster.rows.values()) : undefined;
  });

  get hasBegun(): boolean {
    if (!this.isSitting) return true;
    const at = this.begunAt;
    return at !== undefined && at <= now();
  }

  /** When the time of those at work is up. */
  ends = $derived.by(() => {
    void this.#offBeat;
    return endsOf(this.roster.rows.values());
  });

  /** Whether the planned time has come. */
  get isDue(): boolean {
    return this.sitting !== undefined && startsAt(this.sitting, this.room) <= now();
  }

  get mayBegin(): boolean {
    return mayBegin(this.sitting, this.room);
  }

  steps = $derived.by(() => {
    void this.#beat;
    const start = this.sitting?.start;
    return daySteps({
      isSitting: this.isSitting,
      counts: this.roster.counts,
      beginsByItself: start !== undefined ? start !== "proctor" : !this.mayBegin,
      hasBegun: this.hasBegun,
      doorsOpen: this.sitting?.doorsAt === undefined ? this.roster.counts.here > 0 : Date.parse(this.sitting.doorsAt) <= now(),
      unready: this.unready.filter(({ row, reasons }) => row.sessionId !== null && isHolding(reasons)).length,
      attention: this.attentionCount,
      incidents: this.notes.list.length,
      stored: this.#storedCount,
      unheard: this.unheard.size,
    });
  });

  get stored(): number {
    return this.#storedCount;
  }

  isStored(key: string, row: Row): boolean {
    void this.#storedCount;
    return this.#stored.has(key, row);
  }

  /** Somebody looks at this student, and sees that another device has taken the test over. */
  look(key: string): void {
    const at = this.roster.rows.get(key)?.takenOverAt;
    if (at != null) this.looked.set(key, at);
  }

  /** Reads the plan of the sitting, as far as this person may, and what else is not in the rows. */
  async readPlan(): Promise<void> {
    this.#planAt = performance.now();
    if (this.hall.kind === "template" && this.templateName === "") this.templateName = await readTemplateName(this.hall.templateId);
    if (this.hall.kind !== "sitting") return;
    const found = await readSitting(this.hall.sittingId, this.sitting?.isManaged);
    if (found === undefined) return;
    this.sitting = found;
    void this.notes.read();
  }

  async #storedCandidates(): Promise<string[] | undefined> {
    if (this.hall.kind !== "sitting" || this.sitting?.isManaged !== true) return undefined;
    const answer = await get("/api/admin/sittings/{id}/candidates", { id: this.hall.sittingId });
    // The list is read from the database, so whoever has handed in there is stored.
    return answer.kind === "done" ? answer.value.candidates.filter(({ state }) => state === "submitted").map(({ id }) => id) : [];
  }

  #paintSoon(): void {
    this.#frame ??= requestAnimationFrame(() => this.#paint());
  }

  #paint(): void {
    this.#frame = undefined;
    if (this.roster.apply().length > 0) this.#painted += 1;
    if (this.#shape !== this.roster.shape) this.#shape = this.roster.shape;
    if (this.roster.hasPending) return this.#paintSoon();
    if (this.hasPicture || !this.#isHeard) return;
    // Whoever asks which step is on when there is a picture is told so of these rows.
    this.#beat += 1;
    this.hasPicture = true;
  }

  /** Whatever row stands in the page names its key there. */
  #rowsInView(): number[] | undefined {
    this.#hasView = this.roster.rows.size >= (this.#hasView ? VIEW_UNTIL_ROWS : VIEW_FROM_ROWS);
    if (!this.#hasView) return undefined;
    const keys = new Set<string>();
    for (const selector of ["[data-opened-key]", "[data-key]"]) {
      for (const { dataset } of document.querySelectorAll<HTMLElement>(selector)) {
        if (keys.size < VIEW_ROWS_MAX) keys.add(dataset["openedKey"] ?? dataset["key"] ?? "");
      }
    }
    return this.roster.numbersOf(keys);
  }

  #onOffBeat(): void {
    const { gone, here } = goneOf(this.roster.rows, this.roster.offlineSince);
    const faults = faultsNow(this.faults, gone, here, now());
    if (faults.length > 0 || this.faults.length > 0) this.faults = faults;
    this.#offBeat += 1;
  }

  #onBeat(): void {
    // A page in the background paints no frames.
    if (document.hidden && (this.roster.hasPending || !this.hasPicture)) this.#paint();
    this.#beat += 1;
    this.#watcher.view(this.#rowsInView());
    for (const key of this.selected) if (!this.roster.rows.has(key)) this.selected.delete(key);
    const at = performance.now();
    if (at - this.#planAt > PLAN_EVERY_MS) void this.readPlan();
    if (this.roster.counts.submitted > 0 && at - this.#storedAt > STORED_EVERY_MS) {
      this.#storedAt = at;
      void this.#stored.look(this.roster.rows).then(() => (this.#storedCount = this.#stored.count(this.roster.rows)));
    }
  }
}
