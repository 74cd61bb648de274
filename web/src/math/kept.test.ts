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

test("a unit stays with its number, and a point in one line", () => {
  expect(keptPieces("$AB = 40$ cm, 60 cm high, 2 months")).toEqual([
    { isMath: true, text: "AB = 40", closing: " cm," },
    { isMath: false, text: " ", closing: "" },
    { isMath: false, text: "60 cm", closing: "", isWhole: true },
    { isMath: false, text: " high, 2 months", closing: "" },
  ]);
  const whole = (text: string) => keptPieces(text).filter((piece) => piece.isWhole).map((piece) => piece.text);
  expect(whole("(4, −1), (−3, −1.5) and (4 days); 1,200 m², 5 km/h, 3 minutes, 7 grams")).toEqual(["(4, −1)", "(−3, −1.5)", "1,200 m²", "5 km"]);
});
