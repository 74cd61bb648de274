import { expect, test } from "vitest";
import { current, deskAt, mergedAgenda, stoppedIn, type AgendaEntry, type Managed, type Proctored } from "./agenda";

function managed(id: string, startsAt: string, state: Managed["state"]): Managed {
  const counts = { total: 0, expected: 0, waiting: 0, ready: 0, active: 0, paused: 0, submitted: 0, absent: 0 };
  return {
    id,
    name: id,
    template: "",
    templateId: "",
    startsAt,
    start: "clock",
    doorsAt: startsAt,
    endsAt: null,
    grantedMs: 0,
    begunAt: null,
    state,
    results: "held",
    released: false,
    counts,
    rooms: [],
  };
}

function proctored(id: string, startsAt: string, more: Partial<Proctored> = {}): Proctored {
  return { id, name: id, startsAt, begunAt: null, state: "draft", rooms: ["Hall"], ...more };
}

test("what comes stands in its order, and what is over stands last, the last one first", () => {
  const list = [
    managed("next", "2026-06-02T08:00:00Z", "draft"),
    managed("old", "2026-05-01T08:00:00Z", "ended"),
    managed("now", "2026-06-01T09:30:00Z", "running"),
    managed("older", "2026-04-01T08:00:00Z", "ended"),
  ];
  expect(mergedAgenda(list, []).map(({ id }) => id)).toEqual(["now", "next", "old", "older"]);
});

test("a sitting that one manages and watches is there once, with one's rooms", () => {
  const entries = mergedAgenda([managed("a", "2026-06-01T09:30:00Z", "running")], [proctored("a", "2026-06-01T09:30:00Z"), proctored("b", "2026-06-01T11:00:00Z")]);
  expect(entries.map(({ id, ownRooms, managed }) => [id, ownRooms, managed !== undefined])).toEqual([
    ["a", ["Hall"], true],
    ["b", ["Hall"], false],
  ]);
});

test("whose time is stopped is said of the whole sitting, or else of each room", () => {
  const runs = { state: "running" as const, since: null, by: null, text: null, minutes: 0, pausedMs: 0 };
  const stops = { ...runs, state: "paused" as const, since: "2026-06-01T09:40:00Z", by: "rita@school.example", text: "Fire alarm" };
  const rooms = (...standings: (typeof runs | typeof stops)[]) => standings.map((standing, index) => ({ name: `B1${index}`, standing }));
  expect(stoppedIn({ standing: stops, roomStarts: rooms(stops, runs) })).toEqual([{ standing: stops }]);
  expect(stoppedIn({ standing: runs, roomStarts: rooms(runs, stops) })).toEqual([{ room: "B11", standing: stops }]);
  expect([stoppedIn({ standing: runs }), stoppedIn({})]).toEqual([[], []]);
  const watched = proctored("a", "2026-06-01T09:30:00Z", { standing: stops });
  expect(mergedAgenda([managed("a", "2026-06-01T09:30:00Z", "running")], [watched, { ...watched, id: "b" }]).map(({ stopped }) => stopped)).toEqual([[{ standing: stops }], [{ standing: stops }]]);
});

test("the desk that is needed is that of what runs, one's own rooms first, and else of what is next", () => {
  const entry = (id: string, state: AgendaEntry["state"], ownRooms: string[] = []): AgendaEntry => ({
    id,
    name: id,
    startsAt: "2026-06-01T09:30:00Z",
    begunAt: null,
    state,
    ownRooms,
    stopped: [],
  });
  expect(current([entry("a", "open"), entry("b", "running"), entry("c", "running", ["Hall"])])?.id).toBe("c");
  expect(current([entry("a", "draft"), entry("b", "open")])?.id).toBe("b");
  expect(current([entry("a", "draft"), entry("b", "draft")])?.id).toBe("a");
  expect(current([entry("a", "ended")])).toBeUndefined();
});

test("who watches rooms opens the desk of the first, where the others can be chosen; managers open the whole", () => {
  const [own] = mergedAgenda([], [proctored("a", "2026-06-01T09:30:00Z")]);
  const [several] = mergedAgenda([], [proctored("a", "2026-06-01T09:30:00Z", { rooms: ["Hall", "101"] })]);
  const [both] = mergedAgenda([managed("a", "2026-06-01T09:30:00Z", "running")], [proctored("a", "2026-06-01T09:30:00Z")]);
  expect([own, several, both].map((entry) => entry && deskAt(entry))).toEqual([
    "/staff/sittings/a/desk?room=Hall",
    "/staff/sittings/a/desk?room=Hall",
    "/staff/sittings/a/desk",
  ]);
});
