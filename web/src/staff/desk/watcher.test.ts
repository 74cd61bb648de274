import { beforeEach, expect, test } from "vitest";
import { MovedTime, settled } from "../../exam/testing/time";
import type { Facts } from "./frames";
import { deskRow } from "./testing/rows";
import { Watcher, type Contact, type DeskLineEvents } from "./watcher";

class Wire {
  sent: any[] = [];
  isClosed = false;
  constructor(public events: DeskLineEvents) {}
  send = (text: string) => void this.sent.push(JSON.parse(text));
  close = () => void (this.isClosed = true);
  say = (frame: object) => this.events.message(JSON.stringify(frame));
}

let time: MovedTime;
let wires: Wire[];
let heard: string[];
let said: Facts[];
let contact: Contact;
let status: number | undefined;
let watcher: Watcher;
const wire = () => wires.at(-1) as Wire;
const frame = (type: string, more = {}) => ({ type, room: { grade: 5 }, seq: 7, serverTime: "2026-01-05T09:00:00.000Z", partial: false, sessions: [], removed: [], ...more });

beforeEach(() => {
  time = new MovedTime();
  wires = [];
  heard = [];
  said = [];
  status = undefined;
  const picture = {
    replace: (rows: { student: string }[]) => void heard.push(`all ${rows.map(({ student }) => student)}`),
    change: (rows: { student: string }[], removed: string[]) => void heard.push(`some ${rows.map(({ student }) => student)}-${removed}`),
    differ: (differences: { n: number }[]) => void heard.push(`differ ${differences.map(({ n }) => n)}`),
    counted: undefined,
  };
  const reach = {
    inflates: true,
    open: (events: DeskLineEvents) => {
      const one = new Wire(events);
      wires.push(one);
      return one;
    },
    status: async () => status,
  };
  watcher = new Watcher({ sittingId: "7c1d", room: "B12" }, picture, reach, time, { contact: (now) => (contact = now), heard: () => {}, said: (facts) => said.push(facts), waiting: () => {} }, () => "o1");
  watcher.open();
});

const live = () => {
  wire().events.opened();
  wire().say(frame("roster", { sessions: [deskRow({ student: "Ada" })], complete: true }));
};

test("a roster in parts replaces what was there once it is complete, and changes follow", () => {
  wire().events.opened();
  expect(wire().sent).toEqual([{ type: "watch", sittingId: "7c1d", room: "B12", differences: true, compressed: true }]);
  wire().say(frame("roster", { seq: 0, sessions: [deskRow({ student: "Ada" })], complete: false }));
  expect(heard).toEqual([]);
  expect(contact.kind).toBe("connecting");
  wire().say(frame("roster", { sessions: [deskRow({ student: "Bo" })], complete: true }));
  wire().say(frame("changes", { seq: 8, sessions: [deskRow({ student: "Cy" })], removed: ["x"] }));
  expect(heard).toEqual(["all Ada,Bo", "some Cy-x"]);
  wire().say(frame("changes", { partial: true }));
  expect(contact).toEqual({ kind: "live", partial: true });
});

test("how the room stands comes with the rows, and a server of an earlier version says nothing of it", () => {
  live();
  expect(said).toEqual([]);
  const standing = { state: "paused", since: "2026-01-05T09:10:00.000Z", by: "rita@school.example", text: "Fire alarm", minutes: 5, pausedMs: 0 } as const;
  const outages = [{ from: "2026-01-05T09:00:00.000Z", to: "2026-01-05T09:01:40.000Z", milliseconds: 100_000 }];
  wire().say(frame("changes", { standing, halls: [{ room: "B12", standing }], outages }));
  wire().say(frame("changes", { standing: { ...standing, state: "running" }, sitting: standing }));
  expect(said).toEqual([{ standing, halls: [{ room: "B12", standing }], outages }, { standing: { ...standing, state: "running" }, sitting: standing }]);
});

test("differences come after the rows that they are of", () => {
  live();
  wire().say(frame("changes", { sessions: [deskRow({ student: "Cy", n: 1 })], differences: [{ n: 1, answered: 2 }] }));
  wire().say({ type: "progress", serverTime: "2026-01-05T09:00:01.000Z", differences: [{ n: 4, answered: 2 }] });
  expect(heard).toEqual(["all Ada", "some Cy-", "differ 1", "differ 4"]);
});

test("a view is told once, and again on a new connection as soon as that is watched", async () => {
  watcher.view([1]);
  live();
  watcher.view(undefined);
  expect(wire().sent).toHaveLength(1);
  watcher.view([3, 4]);
  watcher.view([3, 4]);
  expect(wire().sent.slice(1)).toEqual([{ type: "view", rows: [3, 4] }]);
  wire().events.closed(1006);
  await time.pass(500);
  wire().events.opened();
  watcher.view([3, 4]);
  expect(wire().sent).toHaveLength(1);
  wire().say(frame("changes"));
  watcher.view([3, 4]);
  watcher.view(undefined);
  expect(wire().sent.slice(1)).toEqual([{ type: "view", rows: [3, 4] }, { type: "view" }]);
});

test("after a loss it asks for what it missed, with a growing pause", async () => {
  live();
  wire().events.closed(1006);
  expect(contact).toEqual({ kind: "lost", since: 0 });
  await time.pass(500);
  expect(wires).toHaveLength(2);
  wire().events.opened();
  expect(wire().sent[0]).toMatchObject({ type: "watch", since: 7 });
  wire().events.closed(1006);
  wire().events.closed(1006);
  await time.pass(500);
  expect(wires).toHaveLength(2);
  await time.pass(500);
  expect(wires).toHaveLength(3);
  expect(contact, "lost since the first").toEqual({ kind: "lost", since: 0 });
});

test("a part of a roster does not survive its connection", async () => {
  wire().events.opened();
  wire().say(frame("roster", { seq: 0, sessions: [deskRow({ student: "Ada" })], complete: false }));
  wire().events.closed(1006);
  await time.pass(1_000);
  wire().events.opened();
  expect(wire().sent[0]).not.toHaveProperty("since");
  wire().say(frame("roster", { sessions: [deskRow({ student: "Bo" })], complete: true }));
  expect(heard).toEqual(["all Bo"]);
});

test("a connection that is silent is given up, and its late words are not heard", async () => {
  live();
  const first = wire();
  await time.pass(25_000);
  expect(first.isClosed).toBe(true);
  expect(contact.kind).toBe("lost");
  await time.pass(1_000);
  expect(wires).toHaveLength(2);
  first.say(frame("changes", { sessions: [deskRow({ student: "Old" })] }));
  first.events.closed(1006);
  expect(heard).toEqual(["all Ada"]);
  expect(wires).toHaveLength(2);
});

test("orders wait for the room, and go again after a loss", async () => {
  const outcome = watcher.give({ type: "pause", sessionId: "*" });
  wire().events.opened();
  expect(wire().sent).toHaveLength(1);
  wire().say(frame("roster", { complete: true }));
  expect(wire().sent[1]).toEqual({ id: "o1", type: "pause", sessionId: "*" });
  wire().events.closed(1012);
  await time.pass(5_000);
  wire().events.opened();
  wire().say(frame("changes"));
  expect(wire().sent[1]).toEqual({ id: "o1", type: "pause", sessionId: "*" });
  wire().say({ type: "done", id: "o1", count: 3 });
  expect(await outcome).toMatchObject({ kind: "done", count: 3 });
});

test("it ends where trying again is of no use", async () => {
  live();
  wire().events.closed(4403);
  expect(contact).toMatchObject({ kind: "ended", why: "forbidden" });
  await time.pass(60_000);
  expect(wires).toHaveLength(1);
  expect(await watcher.give({ type: "begin" })).toEqual({ kind: "abandoned" });
});

test("an error about the watch says why", () => {
  wire().events.opened();
  wire().say({ type: "error", code: "sitting_not_found", error: "There is no such sitting" });
  expect(contact).toEqual({ kind: "ended", why: "notFound", error: "There is no such sitting" });
});

test("a watch that the database could not answer is asked for again", async () => {
  wire().events.opened();
  wire().say({ type: "error", code: "storage_unavailable", error: "later" });
  await time.pass(2_000);
  expect(wire().sent).toHaveLength(2);
});

test("a socket that can't be opened is asked about by a request", async () => {
  status = 401;
  wire().events.closed(1006);
  await settled();
  expect(contact).toMatchObject({ kind: "ended", why: "signedOut" });
});

test("a server that is away is no refusal, and hurrying skips the pause", async () => {
  wire().events.closed(1006);
  await settled();
  expect(contact.kind).toBe("lost");
  watcher.hurry();
  expect(wires).toHaveLength(2);
  watcher.close();
  await time.pass(60_000);
  expect(wires).toHaveLength(2);
});

test("who is signed out keeps the picture and the orders on their way, and goes on where it was", async () => {
  live();
  const given = watcher.give({ type: "pause", sessionId: "s" });
  wire().events.closed(4401);
  expect([contact, wires.length]).toEqual([{ kind: "ended", why: "signedOut", error: "" }, 1]);
  await time.pass(60_000);
  expect(wires).toHaveLength(1);
  watcher.resume();
  expect(contact.kind).toBe("lost");
  await time.pass(8_000);
  wire().events.opened();
  expect(wire().sent).toMatchObject([{ type: "watch", since: 7 }]);
  wire().say(frame("changes"));
  expect(wire().sent.slice(1)).toEqual([{ id: "o1", type: "pause", sessionId: "s" }]);
  wire().say({ type: "done", id: "o1", count: 1 });
  expect(await given).toMatchObject({ kind: "done", count: 1 });
});

test("who does not sign in again leaves no order behind", async () => {
  live();
  const given = watcher.give({ type: "pause", sessionId: "s" });
  wire().events.closed(4401);
  watcher.giveUpOrders();
  expect(await given).toEqual({ kind: "abandoned" });
  watcher.close();
  watcher.resume();
  await time.pass(60_000);
  expect(wires).toHaveLength(1);
});
