import { expect, test } from "vitest";
import { keptPieces } from "./kept";

test("what closes a sentence stays with the formula before it", () => {
  expect(keptPieces("Is $x$, or ($y$)? No: $z$.")).toEqual([
    { isMath: false, text: "Is ", closing: "" },
    { isMath: true, text: "x", closing: "," },
    { isMath: false, text: " or (", closing: "" },
    { isMath: true, text: "y", closing: ")?" },
    { isMath: false, text: " No: ", closing: "" },
    { isMath: true, text: "z", closing: "." },
    { isMath: false, text: "", closing: "" },
  ]);
});

test("words and formulas in a line of their own keep nothing", () => {
  expect(keptPieces("$x$ is it.\n$$y$$, then")).toEqual([
    { isMath: true, text: "x", closing: "" },
    { isMath: false, text: " is it.", closing: "" },
    { isMath: true, isDisplay: true, text: "y", closing: "" },
    { isMath: false, text: ", then", closing: "" },
  ]);
});
