// Agreements between the page and the server, from files that both test against: how commands are merged
// (tests/golden), and what each frame of the protocol looks like (testing/golden_frames.ts, written by the server).

import { expect, test } from "vitest";
import cases from "../../../tests/golden/latest_wins.json";
import lines from "../../../tests/golden/lines.json";
import { restored } from "./answers";
import { Outbox } from "./outbox";
import { readFrame, type ClientFrame, type Command, type ServerFrame } from "./protocol";
import { commandsReplyOf, standingOf } from "./reply";
import { clientFrames, serverFrames } from "./testing/golden_frames";
import { TestHall } from "./testing/hall";
import { Scene } from "./testing/scene";

for (const { name, commands, state, eliminated = {} } of cases.cases) {
  test(name, () => {
    // A page gives rising numbers, so of each slot its outbox keeps the highest.
    const rising = ([...commands] as Command[]).map((command) => ({ timeTaken: 0, ...command }) as Command).sort((one, other) => one.seq - other.seq);
    const answers = restored([], {}, new Outbox(rising).commands);
    const merged = Object.fromEntries(Object.entries(answers).map(([id, { selected, marked, visited }]) => [id, { selected, marked, visited }]));
    expect(merged).toEqual(state);
    for (const [id, crossed] of Object.entries(eliminated)) expect(answers[id]?.eliminated).toEqual(crossed);
  });
}

// The hall of the pages' tests merges as the server does, so what is tested against it holds there too.
for (const { name, commands, state, eliminated = {} } of [...lines.cases, ...cases.cases] as typeof lines.cases) {
  test(`the hall: ${name}`, () => {
    const hall = new TestHall();
    const refused = hall.take(commands) as ({ code: string; line: number } | undefined)[];
    expect(refused.map((answer) => (answer?.code === "superseded_by" ? answer.line : undefined))).toEqual((commands as { supersededBy?: number }[]).map(({ supersededBy }) => supersededBy));
    for (const [id, expected] of Object.entries(state)) {
      const { selected = null, marked = false, visited = false } = hall.answers[id] ?? {};
      expect({ selected, marked, visited }).toEqual(expected);
    }
    for (const [id, crossed] of Object.entries(eliminated)) expect(hall.answers[id]?.eliminated ?? []).toEqual(crossed);
  });
}

// The compiler holds these tables to the protocol's types: a type that is missing here, or is no longer one, is an error.
const SERVER_TYPES: Record<ServerFrame["type"], true> = {
  waiting: true,
  begin: true,
  started: true,
  resumed: true,
  saved: true,
  stage: true,
  submitted: true,
  error: true,
  time: true,
  alert: true,
  paused: true,
  unpaused: true,
  extended: true,
  notice: true,
  superseded: true,
  restarting: true,
  receipt: true,
};
const CLIENT_TYPES: Record<ClientFrame["type"], true> = {
  receipt: true,
  start: true,
  enter: true,
  resume: true,
  ready: true,
  answer: true,
  mark: true,
  eliminate: true,
  visit: true,
  drawing: true,
  next: true,
  submit: true,
  sync: true,
  focus: true,
  trouble: true,
};

const typesOf = (frames: { type: string }[]) => [...new Set(frames.map(({ type }) => type))].sort();

test("every frame of the protocol has an example, and every example is a frame that the page knows", () => {
  expect(typesOf(serverFrames)).toEqual(Object.keys(SERVER_TYPES).sort());
  expect(typesOf(clientFrames)).toEqual(Object.keys(CLIENT_TYPES).sort());
});

for (const frame of serverFrames as ServerFrame[]) {
  test(`the page reads ${JSON.stringify(frame).slice(0, 60)}`, async () => {
    expect(readFrame(JSON.stringify(frame))).toEqual(frame);
    if (frame.type === "started" || frame.type === "resumed") expect(standingOf({ status: 200, body: frame }, frame.sessionId)).toEqual(frame);
    if (frame.type === "stage" || frame.type === "submitted" || frame.type === "error") {
      const body = { saved: 0, replies: [frame], remainingMs: 0, deadline: "", state: "active" };
      expect(commandsReplyOf({ status: 200, body })?.replies).toEqual([frame]);
    }
    const scene = new Scene();
    const exam = await scene.started();
    scene.hall.tell(frame);
    await scene.live(exam, 2);
    expect(exam.view.phase).toBe(phaseAfter(frame));
  });
}

function phaseAfter(frame: ServerFrame): string {
  if (frame.type === "superseded" || frame.type === "submitted") return frame.type;
  return frame.type === "resumed" && frame.state === "submitted" ? "submitted" : "running";
}
