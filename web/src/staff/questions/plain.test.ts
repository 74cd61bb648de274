import { expect, test } from "vitest";
import { plainText } from "./plain";

test("formulas are written in signs that fit on a line", () => {
  expect(plainText("What is $\\frac{1}{2}+\\frac13$?")).toBe("What is 1/2+1/3?");
  expect(plainText("$2\\tfrac{3}{4} \\times 8$")).toBe("2 3/4 × 8");
  expect(plainText("$\\frac{x+1}{2\\pi}$ and $\\frac{\\frac{1}{2}}{3}$")).toBe("(x+1)/(2π) and (1/2)/3");
  expect(plainText("$\\sqrt{16} \\le x^2 + y^{10}$, $90^\\circ$, $x^{n+1}$, $5\\,\\text{cm}$")).toBe("√16 ≤ x² + y¹⁰, 90°, x^(n+1), 5 cm");
  expect(plainText("$\\left(a_{1}\\right) \\div 50\\%$")).toBe("(a_1) ÷ 50%");
});

test("lines above and below stay", () => {
  expect(plainText("4$\\underline{7}3$ is $\\underline{\\text{not}}$ 0.$\\overline{3}$")).toBe("47\u03323 is n\u0332o\u0332t\u0332 0.3\u0305");
});

test("prices stay, and so does what has no plain form", () => {
  expect(plainText("It costs \\$5, or $6 with tax.")).toBe("It costs $5, or $6 with tax.");
  expect(plainText("$\\sum_{i=1}^n i$ and $\\begin{cases}x\\end{cases}$")).toBe("\\sum_{i=1}^n i and \\begin{cases}x\\end{cases}");
});

test("different formulas never read the same", () => {
  for (const [tex, plain] of [
    ["a_{n+1}", "a_(n+1)"],
    ["a_{n}+1", "a_n+1"],
    ["\\log_{2}8", "log_2 8"],
    ["\\log_28", "log_2 8"],
    ["\\log_{28}x", "log_28 x"],
    ["2^{3x}", "2^(3x)"],
    ["2^{3}x", "2³x"],
    ["2^{x}y", "2^x y"],
    ["2^xy", "2^x y"],
    ["2^{xy}", "2^(xy)"],
    ["\\frac{1}{2}\\pi", "1/2 π"],
    ["\\frac{1}{2\\pi}", "1/(2π)"],
    ["\\sqrt{2}x", "√2 x"],
    ["\\sqrt{2x}", "√(2x)"],
    ["\\sqrt{2}\\sqrt{3}", "√2 √3"],
    ["\\sqrt{2\\sqrt{3}}", "√(2√3)"],
    ["\\frac{\\sqrt{2}}{2}", "√2/2"],
    ["\\sqrt{\\frac{2}{2}}", "√(2/2)"],
    ["\\frac{3}{4}\\frac{1}{2}", "3/4 1/2"],
    ["\\frac{1}{2}3", "1/2 3"],
    ["\\frac{1}{23}", "1/23"],
    ["\\frac{1}{2}(x+1)", "1/2 (x+1)"],
    ["x\\frac{1}{2}", "x 1/2"],
    ["\\frac{x1}{2}", "(x1)/2"],
    ["1/\\frac{2}{3}", "1/(2/3)"],
    ["\\frac{1}{2}/3", "1/2/3"],
    ["(\\sqrt{2},5)", "(√2, 5)"],
    ["\\sqrt{2,5}", "√2,5"],
    ["a\\sin x", "a sin x"],
    ["a_{n}^{2}", "a_n²"],
    ["a_{n^2}", "a_(n²)"],
    // Brackets would have to be put around what comes before.
    ["\\frac{1}{2}^2", "\\frac{1}{2}^2"],
    ["\\frac{1}{2^2}", "1/(2²)"],
    ["\\sqrt{n}!", "\\sqrt{n}!"],
    ["\\sqrt[3]{8}", "\\sqrt[3]{8}"],
    ["{a+b}^2", "{a+b}^2"],
    ["x^\\frac12", "x^\\frac12"],
  ] as const) {
    expect(plainText(`$${tex}$`), tex).toBe(plain);
  }
});

test("a formula in a line of its own has spaces around it", () => {
  expect(plainText("Solve\n$$x=2$$\nfor x")).toBe("Solve x=2 for x");
});

test("a ring is a degree only where it is raised", () => {
  expect(plainText("$90^\\circ$, $90^{\\circ}$ and $20\\degree$, but $f \\circ g$")).toBe("90°, 90° and 20°, but f ∘ g");
});
