import { expect, test } from "vitest";
import { offeredProctors, withProctor } from "./proctors";

const RITA = { email: "rita@school.example", name: "Rita Nguyễn" };
const MAX = { email: "max@school.example", name: "Max Trần" };
const NAMELESS = { email: "rito@school.example", name: "" };
const PEOPLE = [RITA, MAX, NAMELESS];

const offered = (text: string, caret = text.length) => offeredProctors(PEOPLE, text, caret).map(({ email }) => email);

test("people are offered by what is typed of their name, without its signs, or of their address", () => {
  expect(offered("nguyen")).toEqual([RITA.email]);
  expect(offered("tran max")).toEqual([MAX.email]);
  expect(offered("rit")).toEqual([RITA.email, NAMELESS.email]);
  expect([offered(""), offered("  "), offered("nobody")]).toEqual([[], [], []]);
});

test("only the part at the caret counts, and nobody is offered twice or when the whole address is there", () => {
  expect(offered(`${MAX.email}, rit`)).toEqual([RITA.email, NAMELESS.email]);
  expect(offered(`${RITA.email}; rit`)).toEqual([NAMELESS.email]);
  expect(offered(`rit, ${MAX.email}`, 3)).toEqual([RITA.email, NAMELESS.email]);
  expect(offered("MAX@school.example")).toEqual([]);
});

test("who is chosen takes the place of what was typed, and the next one can be typed at once", () => {
  expect(withProctor("ngu", 3, RITA.email)).toEqual({ text: `${RITA.email}, `, caret: RITA.email.length + 2 });
  expect(withProctor(`${MAX.email},ngu`, MAX.email.length + 4, RITA.email).text).toBe(`${MAX.email}, ${RITA.email}, `);
  const inFront = withProctor(`ngu; ${MAX.email}`, 2, RITA.email);
  expect(inFront).toEqual({ text: `${RITA.email}, ${MAX.email}`, caret: RITA.email.length + 2 });
});
