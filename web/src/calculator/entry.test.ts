import { expect, test } from "vitest";
import { EMPTY, expressionOf, pressed, shownOf, type Entry, type CalculatorKey } from "./entry";
import { evaluated, type Angle } from "./evaluate";
import { keyTyped } from "./keys";
import { written } from "./number";

const NAMES: Record<string, CalculatorKey> = { "+": "plus", "-": "minus", "*": "times", "/": "divide", ".": "point", "%": "percent", "(": "open", ")": "close", "^": "power", "²": "square", "!": "factorial", "√": "sqrt", π: "pi", "=": "equals", "<": "delete", C: "clear" };

/** The entry after these keys, of which words stand between spaces. */
function typed(keys: string, angle: Angle = "degrees", from: Entry = EMPTY): Entry {
  const names = keys.split(/(\s[a-z]+\s)/).flatMap((part) => (/^\s[a-z]+\s$/.test(part) ? [part.trim() as CalculatorKey] : [...part].map((key) => NAMES[key] ?? (key as CalculatorKey))));
  return names.reduce((entry, key) => pressed(entry, key as Exclude<CalculatorKey, "angle">, (expression, answer) => evaluated(expression, answer, angle)), from);
}

function result(keys: string, angle?: Angle): string {
  const { result } = typed(`${keys}=`, angle);
  return result === undefined ? "" : "value" in result ? written(result.value, ".") : result.fault;
}

test.each([
  ["1+2*3", "7"],
  ["0.1+0.2", "0.3"],
  ["0.3-0.1-0.2", "0"],
  [".5*4", "2"],
  ["10/4", "2.5"],
  ["1/3", "0.333333333333"],
  ["2/3*3", "2"],
  ["-5+2", "−3"],
  ["3*-2", "−6"],
  ["200*15%", "30"],
  ["200/50%", "400"],
  ["200+10%", "220"],
  ["200-10%", "180"],
  ["1.1+10%", "1.21"],
  ["100+50*2+10%", "220"],
  ["200+10%+10%", "242"],
  ["200+10%-10%", "198"],
  ["(200+10%)*2", "440"],
  ["3*(200+10%", "660"],
  ["√(200-2%", "14"],
  ["(50+50)+(4+6)%", "110"],
  ["-200+10%", "−220"],
  ["2π²-100%", "0"],
  ["200+10%*2", "200.2"],
  ["200+10%(5)", "200.5"],
  ["200+2*10%", "200.2"],
  ["-10%", "−0.1"],
  ["3*-2%", "−0.06"],
  ["(-2%", "−0.02"],
  ["(1+2)*(3+4)", "21"],
  ["2(3+4)", "14"],
  ["2π", "6.28318530718"],
  ["√16", "4"],
  ["√(9+16)", "5"],
  ["2^10)", "1024"],
  ["5²", "25"],
  ["-3²", "−9"],
  ["5!", "120"],
  ["(2+1)!", "6"],
  ["2*3!", "12"],
  ["999999*999999", "999998000001"],
  ["99999999*99999999", "9.9999998 × 10¹⁵"],
])("%s is %s", (keys, value) => {
  expect(result(keys)).toBe(value);
});

test("angles are in degrees or radians", () => {
  expect([result(" sin 30"), result(" cos 90"), result(" tan 45"), result(" asin 1"), result(" sin 180")]).toEqual(["0.5", "0", "1", "90", "0"]);
  expect([result(" sin π/2)", "radians"), result(" cos π", "radians"), result(" atan 1)*4", "radians")]).toEqual(["1", "−1", "3.14159265359"]);
  expect([result(" log 1000"), result(" ln  e ")]).toEqual(["3", "1"]);
});

test("what has no result says why", () => {
  expect([result("1/0"), result("0/0"), result("√(-4"), result(" tan 90"), result(" log 0"), result("171!"), result("1.5!"), result("1+"), result("√")]).toEqual([
    "zero",
    "undefined",
    "undefined",
    "undefined",
    "undefined",
    "large",
    "undefined",
    "unfinished",
    "unfinished",
  ]);
});

test("keys that can't follow are ignored", () => {
  const shown = (keys: string) => shownOf(typed(keys).signs, ".");
  expect([shown("1..2.3"), shown("+5"), shown("5)"), shown("()"), shown("5+*"), shown("5*-+3"), shown("%"), shown("5%%")]).toEqual(["1.23", "5", "5", "(", "5 ×", "5 + 3", "", "5 % %"]);
  expect(typed("1".repeat(80)).signs).toHaveLength(60);
});

test("a result goes on with an operation, and a digit begins anew", () => {
  const three = typed("1+2=");
  expect(shownOf(typed("*4", "degrees", three).signs, ".")).toBe("Ans × 4");
  expect(typed("*4=", "degrees", three).result).toEqual({ value: 12 });
  expect(shownOf(typed("7", "degrees", three).signs, ".")).toBe("7");
  expect(typed("C", "degrees", three)).toEqual({ signs: [], answer: 3, result: undefined });
  expect(typed("<", "degrees", three).signs).toHaveLength(3);
  expect(typed("12<").signs).toEqual(["1"]);
  expect(typed("=").result).toBeUndefined();
});

test("after a fault, the entry can be mended", () => {
  expect(shownOf(typed("1/0=<5").signs, ".")).toBe("1 ÷ 05");
  expect(typed("1/0=<<5=").result).toEqual({ value: 0.2 });
});

test("an entry is shown with the language's decimal sign", () => {
  expect(shownOf(typed("-1.5*(2-3)").signs, ",")).toBe("−1,5 × (2 − 3)");
  expect(written(-1234.5, ",")).toBe("−1234,5");
});

test("expressions consist of what the evaluator knows", () => {
  expect(expressionOf(typed("2π(1+3)²").signs)).toBe("2*pi*(1+3)^2");
  expect(expressionOf(typed(" sin 30+√4").signs)).toBe("sin(30+sqrt(4))");
});

test("a long row of per cents stays short", () => {
  const { signs } = typed(`9${"+1%".repeat(19)}`);
  expect(expressionOf(signs).length).toBeLessThan(600);
  expect(result(`9${"+1%".repeat(19)}`)).toBe("10.872980554");
});

test("very small and very large numbers have a power of ten", () => {
  expect([written(1.5e15, "."), written(2e-10, "."), written(0.000012, ".")]).toEqual(["1.5 × 10¹⁵", "2 × 10⁻¹⁰", "0.000012"]);
});

test("nothing but the keys can be computed", () => {
  for (const expression of ['import({a: 1})', 'evaluate("1")', 'parse("1")', "f(x) = x", "createUnit(1)", "(1).constructor", "cos.constructor"]) {
    expect(evaluated(expression, 0, "degrees"), expression).toHaveProperty("fault");
  }
});

test("digits are found by their place where the layout has others, or letters", () => {
  const typed = [["٣", "Digit3"], ["ă", "Digit1"], ["é", "Digit2"], ["&", "Digit1"], ["%", "Digit5"], ["ф", "KeyA"]] as const;
  expect(typed.map(([key, code]) => keyTyped(key, "basic", code))).toEqual(["3", "1", "2", undefined, "percent", undefined]);
});

test("the keyboard has the keys that the calculator has", () => {
  expect([keyTyped("7", "basic"), keyTyped("*", "basic"), keyTyped(",", "basic"), keyTyped("Enter", "basic"), keyTyped("(", "basic"), keyTyped("(", "scientific"), keyTyped("a", "scientific")]).toEqual([
    "7",
    "times",
    "point",
    "equals",
    undefined,
    "open",
    undefined,
  ]);
});
