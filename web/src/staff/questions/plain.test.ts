import { expect, test } from "vitest";
import { plainText } from "./plain";

test("formulas are written in signs that fit on a line", () => {
  expect(plainText("What is $\\frac{1}{2}+\\frac13$?")).toBe("What is 1/2+1/3?");
  expect(plainText("$2\\tfrac{3}{4} \\times 8$")).toBe("2 3/4 × 8");
  expect(plainText("$\\frac{x+1}{2\\pi}$ and $\\frac{\\frac{1}{2}}{3}$")).toBe("(x+1)/2π and (1/2)/3");
  expect(plainText("$\\sqrt{16} \\le x^2 + y^{10}$, $90^\\circ$, $x^{n+1}$, $5\\,\\text{cm}$")).toBe("√16 ≤ x² + y¹⁰, 90°, x^(n+1), 5 cm");
  expect(plainText("$\\left(a_{1}\\right) \\div 50\\%$")).toBe("(a_1) ÷ 50%");
});

test("prices stay, and so does what has no plain form", () => {
  expect(plainText("It costs \\$5, or $6 with tax.")).toBe("It costs $5, or $6 with tax.");
  expect(plainText("$\\sum_{i=1}^n i$ and $\\begin{cases}x\\end{cases}$")).toBe("\\sum_{i=1}^n i and \\begin{cases}x\\end{cases}");
});
