import { expect, test } from "vitest";
import { pasted } from "../roster/paste";
import { chipsOf } from "../sittings/chips";
import { classList, needsOf } from "./people";
import { CLASS_COLUMNS, type ClassPerson } from "./shapes";

function person(changes: Partial<ClassPerson> = {}): ClassPerson {
  return { name: "Ada", email: "ada@x.test", factor: null, extraMinutes: null, note: null, ...changes };
}

const { email: _, ...BO } = person({ name: 'Bo "B" Tran', externalId: "007", factor: 125, note: "sits\nin front" });

test("a class is a list that is read again as it was, and no column of it is unknown", () => {
  const text = classList([person(), BO]);
  expect(text).toBe('email\texternalId\tname\tfactor\tnote\nada@x.test\t\tAda\t\t\n\t007\t"Bo ""B"" Tran"\t125\tsits in front\n');
  const table = pasted(text);
  expect(table.columns.every((name) => name !== undefined && CLASS_COLUMNS.includes(name))).toBe(true);
  expect(table.rows[1]).toEqual(["", "007", 'Bo "B" Tran', "+25 %", "sits in front"]);
});

test("what nobody has is no column", () => {
  expect(classList([person()])).toBe("email\tname\nada@x.test\tAda\n");
});

test("what they need shows as for a candidate", () => {
  expect(chipsOf(needsOf(person()))).toEqual([]);
  expect(chipsOf(needsOf(person({ factor: 150, extraMinutes: 5 }))).map(({ text }) => text)).toEqual(["+50 %", "+5 min"]);
});
