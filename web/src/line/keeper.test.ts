// Whatever happens to a connection, in whatever order: there is one at a time, nothing is heard of an older one, each is reported as
// lost or as final once, and it is always opened again until it is given up.

import { expect, test } from "vitest";
import { MovedTime } from "../exam/testing/time";
import { Keeper, type KeeperRules } from "./keeper";
import type { SocketEvents } from "./ports";

const RUNS = 150;
const DEEDS = 40;
const OPEN_MS = 8_000;
const SILENT_MS = 25_000;
const SILENCE_MS = 15_000;
const PROBE_MS = 6_000;
/** How often the owner lets it listen. */
const TICK_MS = 1_000;
const LONGEST_PAUSE_MS = 15_000;
const RESTART_MS = 5_000;
const FINAL = 4404;
const RULES: KeeperRules<string> = { openMs: () => OPEN_MS, ends: { [FINAL]: "refused" } };

/** Numbers from 0 to 1, the same for the same seed. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 1_664_525 + 1_013_904_223) >>> 0) / 2 ** 32;
}

class ChancyTime extends MovedTime {
  constructor(private chance: () => number) {
    super();
  }

  override random(): number {
    return this.chance();
  }
}

class Wire {
  sent: { type: string }[] = [];
  isOpened = false;
  isClosed = false;
  isAnswered = false;
  constructor(readonly events: SocketEvents) {}

  send = (text: string) => void this.sent.push(JSON.parse(text));
  close = () => void (this.isClosed = true);

  open(): void {
    if (this.isOpened) return;
    this.isOpened = true;
    this.events.opened();
  }
}

/** A keeper, what it is to do by what has happened so far, and a server that answers or does not. */
class Run {
  readonly time: ChancyTime;
  readonly keeper: Keeper<string>;
  wires: Wire[] = [];
  told = "";
  heard: string[] = [];
  inherited: string[] = [];
  ends: string[] = [];
  /** Nothing may happen any more. */
  isOver = false;
  isHandedOver = false;
  isAway = false;
  /** When the connection was opened, or something was last heard on it. */
  aliveAt = 0;
  /** When another must have been opened. */
  retryBy = Infinity;
  #said = 0;

  constructor(
    seed: number,
    readonly rules = RULES,
    readonly random = numbers(seed),
  ) {
    this.told = `seed ${seed}:`;
    this.time = new ChancyTime(random);
    this.keeper = new Keeper(this.time, rules, {
      open: (events) => {
        expect([this.isOver, this.isHandedOver], this.told).toEqual([false, false]);
        for (const older of this.wires) expect(older.isClosed, `${this.told} an older one is open`).toBe(true);
        this.wires.push(new Wire(events));
        [this.retryBy, this.aliveAt] = [Infinity, this.time.now()];
        return this.wire;
      },
      opened: () => {
        this.aliveAt = rules.silentMs === undefined ? this.aliveAt : this.time.now();
        this.keeper.ask({ type: "resume" });
      },
      heard: (text) => {
        this.heard.push(text);
        this.aliveAt = this.time.now();
        if (this.keeper.isAnswered) return void this.keeper.alive();
        expect(this.keeper.answered(), this.told).toBeGreaterThanOrEqual(0);
        [this.wire.isAnswered, this.keeper.failures] = [true, 0];
        this.keeper.alive();
      },
      lost: (_code, wasAnswered) => {
        expect([this.wire.isClosed, this.keeper.isOpen], this.told).toEqual([true, false]);
        expect(wasAnswered, this.told).toBe(this.wire.isAnswered);
        this.ends.push(`lost ${this.wires.length}`);
        this.keeper.failures += 1;
        const { isRestarting } = this.keeper;
        this.keeper.comeBack();
        this.retryBy = this.time.now() + (isRestarting ? RESTART_MS : LONGEST_PAUSE_MS);
      },
      final: (why) => {
        expect([why, this.wire.isClosed, this.keeper.isPausing], this.told).toEqual(["refused", true, false]);
        this.ends.push(`final ${this.wires.length}`);
        this.isOver = true;
      },
    });
    this.keeper.open();
  }

  get wire(): Wire {
    return this.wires.at(-1) as Wire;
  }

  pick<T>(from: readonly T[]): T {
    return from[Math.floor(this.random() * from.length)] as T;
  }

  say(wire: Wire): void {
    const text = `${(this.#said += 1)}`;
    const isCurrent = wire === this.wire && !wire.isClosed;
    const [isHeard, isInherited] = [isCurrent && !this.isHandedOver, isCurrent && this.isHandedOver];
    const [heard, inherited] = [this.heard.length, this.inherited.length];
    wire.events.message(text);
    const told = [this.heard.length - heard, this.inherited.length - inherited];
    if (told[0] !== Number(isHeard) || told[1] !== Number(isInherited)) expect.fail(`a message is not heard by whom it is for: ${told}; ${this.told}`);
  }

  /** What may happen; the ends of everything are rare. */
  deeds(): Record<string, () => unknown> {
    const { keeper, wire, random } = this;
    const older = this.pick(this.wires);
    const isGone = wire.isClosed;
    const live = () => this.live(1 + Math.floor(random() * 30));
    const answer = () => {
      wire.open();
      if (!this.isAway) this.say(wire);
    };
    const rarely = (deed: () => unknown) => () => random() < 0.2 && deed();
    return {
      live, liveToo: live, liveAgain: live, answer, answerToo: answer,
      sayOlder: () => older.isOpened && this.say(older),
      openOlder: () => older.open(),
      closeOlder: () => older !== wire && older.events.closed(this.pick([1000, 1006, FINAL])),
      break: () => !isGone && wire.events.closed(this.pick([1000, 1006, 1012])),
      breakTwice: () => [1006, 1006].map((code) => wire.events.closed(code)),
      restarting: () => !isGone && (keeper.isRestarting = true),
      lose: () => !isGone && !this.isHandedOver && keeper.lose(),
      hurry: () => !this.isOver && !this.isHandedOver && !keeper.isAnswered && keeper.open(),
      planAnother: () => keeper.isOpen && !keeper.isAnswered && keeper.openAfter(random() * LONGEST_PAUSE_MS),
      probe: () => keeper.probe(),
      away: () => (this.isAway = true),
      back: () => (this.isAway = false),
      handOver: rarely(() => {
        if (isGone || !keeper.isAnswered) return;
        this.isHandedOver = true;
        keeper.handOver({ message: (text) => this.inherited.push(text), closed: (code) => this.ends.push(`inherited ${code}`) });
      }),
      refuse: rarely(() => !isGone && !this.isHandedOver && wire.events.closed(FINAL)),
      close: rarely(() => ([this.isOver] = [true], keeper.close())),
    };
  }

  /** Lets seconds pass on which the owner listens, and the server answers what it is asked. */
  async live(seconds: number): Promise<void> {
    for (let second = 0; second < seconds; second += 1) {
      await this.time.pass(TICK_MS);
      const { wire } = this;
      if (this.keeper.isAnswered && !this.isHandedOver && this.rules.silentMs === undefined) this.keeper.listen(SILENCE_MS, PROBE_MS);
      if (!wire.isClosed && !this.isAway) {
        wire.open();
        const isSpoken = this.rules.silentMs === undefined ? ["resume", "sync"].includes(wire.sent.at(-1)?.type ?? "") : second % 10 === 0;
        if (isSpoken && !this.isHandedOver) this.say(wire);
        if (isSpoken) wire.sent.push({ type: "answered" });
      }
      this.look();
    }
  }

  /** What is true at all times. */
  look(): void {
    const { keeper, wire } = this;
    const now = this.time.now();
    const ends = this.ends.filter((end) => !end.startsWith("inherited"));
    const waitsMs = this.rules.silentMs ?? (keeper.isAnswered ? SILENCE_MS + PROBE_MS + 2 * TICK_MS : OPEN_MS);
    const rules: [string, boolean][] = [
      ["an older connection is open", this.wires.filter(({ isClosed }) => !isClosed).length === Number(keeper.isOpen)],
      ["an end is told twice", new Set(ends).size === ends.length],
      ["it goes on after the end", !this.isOver || (!keeper.isOpen && !keeper.isPausing)],
      ["what was handed over is closed or opened again", !this.isHandedOver || this.isOver || (!wire.isClosed && !keeper.isPausing)],
      ["it is neither open nor to be opened", this.isOver || keeper.isOpen || keeper.isPausing],
      ["another try would replace a good connection", !keeper.isAnswered || !keeper.isPausing],
      ["it should have come back", this.isOver || now <= this.retryBy],
      ["it should be lost", !keeper.isOpen || this.isHandedOver || now - this.aliveAt <= waitsMs],
    ];
    const broken = rules.find(([, holds]) => !holds);
    if (broken !== undefined) expect.fail(`${broken[0]}; ${this.told}`);
  }

  async go(): Promise<void> {
    for (let count = 0; count < DEEDS; count += 1) {
      const [name, deed] = this.pick(Object.entries(this.deeds()));
      this.told += ` ${name}`;
      await deed();
      this.look();
    }
    this.isAway = false;
    const { length } = this.ends;
    await this.live(60);
    if (!this.isOver && !this.isHandedOver) expect([this.keeper.isAnswered, this.keeper.failures], `${this.told} and then the network is good`).toEqual([true, 0]);
    await this.live(60);
    // What answers is not lost, and what is over stays so.
    expect(this.ends.length - length, this.told).toBeLessThanOrEqual(2);
    this.keeper.close();
    [this.isOver] = [true];
    const { length: opened } = this.wires;
    await this.time.pass(600_000);
    expect([this.wires.length, this.wire.isClosed], this.told).toEqual([opened, true]);
  }
}

for (const [name, rules] of Object.entries({ asked: RULES, "that speaks by itself": { ...RULES, silentMs: SILENT_MS } }))
  test(`in whatever order things happen to the connection of a server ${name}, one is kept up until the end`, { timeout: 60_000 }, async () => {
    const seen = { lost: 0, final: 0, handedOver: 0, probed: 0 };
    for (let seed = 1; seed <= RUNS; seed += 1) {
      const run = new Run(seed, rules);
      await run.go();
      seen.lost += run.ends.filter((end) => end.startsWith("lost")).length;
      seen.final += run.ends.filter((end) => end.startsWith("final")).length;
      seen.handedOver += Number(run.inherited.length > 0);
      seen.probed += run.wires.flatMap(({ sent }) => sent).filter(({ type }) => type === "sync").length;
    }
    // All of it has been tried.
    for (const count of Object.values(seen)) expect(count, JSON.stringify(seen)).toBeGreaterThan(RUNS / 30);
  });
