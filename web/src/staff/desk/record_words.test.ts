import { beforeAll, expect, test, vi } from "vitest";
import golden from "../../../../tests/golden/record_details.json";

beforeAll(() => {
  vi.stubGlobal("navigator", { languages: ["en"] });
  vi.stubGlobal("document", { documentElement: {} });
});

/** As the server names them: acts of managers and proctors, orders, and what a seat notes by itself. */
const KINDS = [
  ..."plan roster candidate accommodation access_code begin release call_off admit present absent incident".split(" "),
  ..."extend pause unpause finish notice undo only_this_device reopen outage code token".split(" "),
  ..."started entered connected disconnected away back ready stage submitted trouble".split(" "),
  ..."late_accepted late_declined late_file".split(" "),
  "taken over",
];

async function words(kind: string, detail: string): Promise<string> {
  const { eventWords } = await import("./record_words");
  return eventWords({ kind, detail });
}

test("a changed plan is said in words", async () => {
  expect(await words("plan", "perRoom false to true")).toBe("Each room begins for itself now");
  expect(await words("plan", "perRoom true to false; late cut to full")).toBe("All rooms begin together now. Latecomers: they get all of their time (before: the time that they missed is lost)");
  const ten = "0 to 10 by percent in steps of 0.5, nearest, pass 5";
  expect(await words("plan", `markScale none to ${ten}`)).toBe("Results have marks by a scale of the school’s own");
  expect(await words("plan", `late cut to full; markScale ${ten} to A 90, F 0 by percent, pass A`)).toMatch(/\. Results have marks by another scale$/);
  expect(await words("plan", `markScale ${ten} to none`)).toBe("Results have no marks any more");
  expect(await words("plan", "name Finals to Finals 5; templateId 5e0c39a5-31c1-4a60-a9a0-5d0c55a0a6f5 to 7c1d39a5-31c1-4a60-a9a0-5d0c55a0a6f5")).toBe("Name: Finals 5 (before: Finals). Another template");
  expect(await words("plan", "start clock to proctor; results held to now")).toBe("Beginning: when a proctor says so (before: by the clock). Results: shown at once (before: held until they are released)");
  expect(await words("plan", "webhookUrl none to https://lms.example/hook")).toBe("Address for messages: https://lms.example/hook");
  expect(await words("plan", "room B12: added")).toBe("Room B12: added");
  expect(await words("plan", "room B12: proctors rita@school.example to rita@school.example, an@school.example; endsAt 2027-06-01T04:00:00.000Z to none")).toMatch(
    /^Room B12: Proctors: rita@school\.example, an@school\.example \(before: rita@school\.example\)\. Hard end: none \(before: \D*\d/,
  );
});

test("moments are written as the reader writes them", async () => {
  const said = await words("plan", "startsAt 2027-06-01T02:00:00.000Z to 2027-06-01T03:00:00.000Z");
  expect(said).toMatch(/^Start: .+ \(before: .+\)$/);
  expect(said).not.toContain("T02:00");
  expect(said, "of another day with its date").toMatch(/Jun/);
});

test("entries in the list, marks and orders are said in words", async () => {
  expect(await words("candidate", "not on the roster to expected")).toBe("Put on the list");
  expect(await words("candidate", "room B12 to B13; seat none to 4; another note")).toBe("Room: B13 (before: B12). Seat: 4. Another note");
  expect(await words("candidate", "factor none to 125; extraMinutes 5 to 10")).toBe("Extra time: +25 %. Minutes on top: 10 minutes (before: 5 minutes)");
  expect(await words("accommodation", "accommodation factor 125 to none")).toBe("Extra time: none (before: +25 %)");
  expect(await words("candidate", "name From A to B to From A to C"), "nobody can say where the first name ends").toBe("Name: From A to B to From A to C");
  expect(await words("candidate", "name A; B to C"), "a semicolon of the text itself").toBe("Name: C (before: A; B)");
  expect(await words("roster", "3 added, 1 updated, 0 removed")).toBe("3 added, 1 changed, 0 removed");
  expect(await words("roster", "28 added of 6A, 6B")).toBe("28 added of 6A, 6B");
  expect(await words("roster", "Ada (n-1): removed")).toBe("Ada (n-1) removed");
  expect(await words("present", "not marked to present")).toBe("");
  expect(await words("absent", "present to absent")).toBe("before: Present");
  expect(await words("extend", "5 to 15 minutes for everyone")).toBe("10 minutes for everyone");
  expect(await words("extend", "-5 minutes: deadline not known yet")).toBe("5 minutes");
  expect(await words("extend", "5 minutes: deadline 2027-06-01T03:00:00.000Z to 2027-06-01T03:05:00.000Z")).toMatch(/^5 minutes: time is up at .+05/);
  expect(await words("pause", "running to paused (Fire alarm)")).toBe("for everyone: Fire alarm");
  expect(await words("pause", "active to paused: deadline 2027-06-01T03:00:00.000Z")).toBe("");
  expect(await words("unpause", "paused to paused by another order: deadline 2027-06-01T03:00:00.000Z")).toBe("another pause lasts on");
  expect(await words("finish", "active to submitted: deadline 2027-06-01T03:00:00.000Z")).toBe("");
  expect(await words("incident", "noise: The bell: twice")).toBe("Noise: The bell: twice");
  expect(await words("incident", "Sổ đầu bài: ghi tên")).toBe("Sổ đầu bài: ghi tên");
  expect(await words("incident", "wrong codes: 40 wrong codes have been tried that begin like the code of this candidate.")).toBe("Wrong codes: 40 wrong codes that begin like the code of this student have been tried.");
  expect(await words("reopen", "submitted (student) to 12 min 5 s left; the student had seen the answers")).toBe("12 min 5 s left. The student had seen the answers");
  expect(await words("late_accepted", "9 changes; The network was away")).toBe("9 changes. The network was away");
  expect(await words("late_accepted", "9 changes; although the student had seen the answers; I was there")).toBe("9 changes. The student had seen the answers. I was there");
  expect(await words("late_accepted", "9 changes; although the results had been released")).toBe("9 changes. The results had been released");
  expect(await words("trouble", "storage paper")).toBe("the browser keeps nothing, no paper");
  expect(await words("token", "with a code of rita@school.example")).toBe("by a code of rita@school.example");
  expect(await words("token", "signed in as ada@school.example")).toBe("signed in as ada@school.example");
  expect(await words("token", "entered again")).toBe("entered again");
  expect(await words("token", "entered again, while bo@school.example was signed in")).toBe("entered again, while bo@school.example was signed in there");
  expect(await words("entered", "websocket, ada@school.example, while bo@school.example was signed in")).toBe("ada@school.example, while bo@school.example was signed in there");
  expect(await words("started", "websocket")).toBe("");
  expect(await words("started", "")).toBe("");
  expect(await words("roster", "import undone: 3 removed, 1 changed back, 40 brought back")).toBe("Import undone: 3 removed, 1 changed back, 40 brought back");
  const outage = await words("outage", "nothing could be saved from 2027-06-01T03:00:00.000Z to 2027-06-01T03:02:05.000Z: 125 s given");
  expect(outage).toMatch(/^nothing could be saved from .+ to .+; 2 min 5 s given$/);
  expect(outage).not.toContain("T03");
});

test("what has another form is shown as it is", async () => {
  for (const [kind, detail] of [["plan", "something else"], ["extend", "as before"], ["pause", "who knows"], ["unheard", "of this"], ["token", "by magic"]] as const) expect(await words(kind, detail)).toBe(detail);
});

test("each form that the server writes down is said in words, in the language of the page", async () => {
  const { speak } = await import("../../texts/choice.svelte");
  speak("vi");
  for (const { kind, form, detail } of golden.details) {
    const said = (await words(kind, detail)).toLowerCase();
    const fixed = form.replace(/\{[^}]*\}/g, " ").match(/[a-z]{4,}/gi) ?? [];
    for (const word of fixed) expect(said, `${kind}: ${detail}`).not.toContain(word.toLowerCase());
  }
  speak("en");
  expect(await words("roster", "import undone: 2 removed, 1 changed back, 0 brought back, 1 kept as changed since")).toBe("Import undone: 2 removed, 1 changed back, 0 brought back, 1 kept, since they were changed after the import");
  expect(await words("roster", "3 added, 1 updated, 0 removed, 2 nobody of a learning platform any more")).toBe("3 added, 1 changed, 0 removed, 2 no longer joined to a person of a learning platform");
  expect(await words("roster", "5 added, 0 removed of a course")).toBe("5 added and 0 removed, as in the course");
  expect(await words("candidate", "is Ada, user-7 of a learning platform")).toBe("Joined to a person of a learning platform: Ada, user-7");
});

test("each kind that the server writes down has a title in both languages", async () => {
  const [{ default: en }, { default: vietnamese }] = await Promise.all([import("./texts/en"), import("./texts/vi")]);
  for (const { events } of [en, vietnamese]) for (const kind of KINDS) expect(events[kind], kind).toBeTruthy();
});

test("minutes that were taken have a title of their own", async () => {
  const { eventTitle } = await import("./record_words");
  expect(eventTitle({ kind: "extend", detail: "-5 minutes: deadline not known yet" })).toBe("Less time");
  expect(eventTitle({ kind: "extend", detail: "15 to 5 minutes for everyone" })).toBe("Less time");
  expect(eventTitle({ kind: "extend", detail: "5 minutes: deadline not known yet" })).toBe("More time");
  expect(eventTitle({ kind: "unheard of", detail: "" })).toBe("unheard of");
});
