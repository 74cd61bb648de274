// The page makes of commands what the server makes of them: the cases are shared with it (tests/golden).

import { expect, test } from "vitest";
import cases from "../../../tests/golden/latest_wins.json";
import { restored } from "./answers";
import { Outbox } from "./outbox";
import type { Command } from "./protocol";

for (const { name, commands, state } of cases.cases) {
  test(name, () => {
    // What an outbox would hold of them: a page gives rising numbers, so the newest of each slot is the highest.
    const rising = ([...commands] as Command[]).map((command) => ({ timeTaken: 0, ...command }) as Command).sort((one, other) => one.seq - other.seq);
    const answers = restored([], {}, new Outbox(rising).commands);
    const shown = Object.fromEntries(Object.entries(answers).map(([id, { selected, marked, visited }]) => [id, { selected, marked, visited }]));
    expect(shown).toEqual(state);
  });
}
