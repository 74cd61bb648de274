// The server's sentences about rows of a list, in the reader's language and with the names that the columns have here.

import { ROSTER_COLUMNS, type RosterColumn } from "./paste";
import type { RosterTexts } from "./texts/en";

type Fault = keyof RosterTexts["faults"];

/** Each kind of sentence, with the column and the number that are in it. What is not known is shown as the server says it. */
const KINDS: [RegExp, Fault][] = [
  [/^(email) is not an address$/, "address"],
  [/^(\w+) must be a text of 1 to 200 characters$/, "text"],
  [/^(factor) must be a whole percentage of 100 to 400$/, "factor"],
  [/^(extraMinutes) must be whole minutes of 0 to 600$/, "minutes"],
  [/^(\w+) must be a time with its zone/, "time"],
  [/^(endsAt) must be after startsAt$/, "order"],
  [/^email or externalId required$/, "nobody"],
  [/^(email|externalId) .+ stands in row (\d+) already$/, "twice"],
  [/^an earlier row is about the same candidate$/, "same"],
  [/^email and externalId are those of two candidates$/, "two"],
  [/^there are too many rooms$/, "rooms"],
  [/^the candidate has entered/, "entered"],
  [/^userSourcedId .+ is not among the users$/, "unknown"],
  [/^extra may be minutes or percent/, "unclear"],
  [/^(\w+) says again what another column says$/, "again"],
  [/^(\w+) has lost digits/, "lost"],
  [/^(\w+) is a (?:date|time): format/, "moment"],
  [/^(\w+) has text that is struck out/, "struck"],
  [/^(\w+) has raised or lowered text/, "raised"],
];

/** One sentence, which may name several faults. */
export function faultText(sentence: string, texts: RosterTexts): string {
  return sentence
    .split("; ")
    .map((fault) => said(fault, texts))
    .join("; ");
}

function said(fault: string, texts: RosterTexts): string {
  for (const [pattern, kind] of KINDS) {
    const found = pattern.exec(fault);
    if (found === null) continue;
    const [, column = "", row = ""] = found;
    const name = ROSTER_COLUMNS.includes(column as RosterColumn) ? texts.columns[column as RosterColumn] : column;
    return texts.faults[kind](name, row);
  }
  return fault;
}
