// The words that mathematics has in each language, for reading aloud. Where voices have their own words (digits, letters),
// they are left to the voice.

import type { Language } from "../texts/choice.svelte";

export interface Tongue {
  /** Signs, by their TeX command without the backslash, or by themselves. */
  signs: Record<string, string>;
  /** A minus before a number that nothing stands before. */
  negative: string;
  degrees: string;
  /** Numbers are simple fractions, and what has no operation in it: anything else needs to be told where it ends. */
  fraction: (above: string, below: string, isSimple: boolean) => string;
  /** A whole number and a fraction. */
  mixed: (whole: string, fraction: string) => string;
  power: (exponent: string, isSimple: boolean) => string;
  index: (words: string) => string;
  root: (words: string, degree: string, isSimple: boolean) => string;
  absolute: [string, string];
  /** A line, a hat or an arrow over something, by its TeX command. */
  over: Record<string, (words: string) => string>;
  blank: string;
  picture: string;
  /** A number as this language writes it in formulas. */
  number: RegExp;
}

const PARTS: Record<string, [string, string]> = {
  2: ["half", "halves"],
  3: ["third", "thirds"],
  4: ["quarter", "quarters"],
  5: ["fifth", "fifths"],
  6: ["sixth", "sixths"],
  7: ["seventh", "sevenths"],
  8: ["eighth", "eighths"],
  9: ["ninth", "ninths"],
  10: ["tenth", "tenths"],
  12: ["twelfth", "twelfths"],
  20: ["twentieth", "twentieths"],
  100: ["hundredth", "hundredths"],
};
const ROOTS: Record<string, string> = { "": "square", 2: "square", 3: "cube", 4: "fourth" };
const GREEK = ["alpha", "beta", "gamma", "delta", "epsilon", "theta", "lambda", "mu", "pi", "rho", "sigma", "tau", "phi", "omega"];
/** What each command stands for also without TeX. */
const LETTERS = Object.fromEntries(GREEK.flatMap((name) => [[name, name], [`${name.charAt(0).toUpperCase()}${name.slice(1)}`, name]]));
const FUNCTIONS_EN = { sin: "sine", cos: "cosine", tan: "tangent", cot: "cotangent", log: "log", ln: "natural log", lim: "limit", max: "maximum", min: "minimum", gcd: "greatest common divisor" };
const FUNCTIONS_VI = { sin: "sin", cos: "cos", tan: "tang", cot: "cotang", log: "lốc", ln: "lốc nê-pe", lim: "giới hạn", max: "giá trị lớn nhất", min: "giá trị nhỏ nhất", gcd: "ước chung lớn nhất" };

const en: Tongue = {
  signs: {
    ...LETTERS,
    ...FUNCTIONS_EN,
    "+": "plus",
    "-": "minus",
    "−": "minus",
    times: "times",
    "×": "times",
    cdot: "times",
    "·": "times",
    "*": "times",
    div: "divided by",
    "÷": "divided by",
    "/": "over",
    ":": "to",
    "=": "equals",
    ne: "is not equal to",
    neq: "is not equal to",
    "≠": "is not equal to",
    "<": "is less than",
    lt: "is less than",
    ">": "is greater than",
    gt: "is greater than",
    le: "is less than or equal to",
    leq: "is less than or equal to",
    leqslant: "is less than or equal to",
    "≤": "is less than or equal to",
    ge: "is greater than or equal to",
    geq: "is greater than or equal to",
    geqslant: "is greater than or equal to",
    "≥": "is greater than or equal to",
    approx: "is about",
    "≈": "is about",
    equiv: "is identical to",
    sim: "is similar to",
    cong: "is congruent to",
    pm: "plus or minus",
    "±": "plus or minus",
    "°": "degrees",
    circ: "degrees",
    pi: "pi",
    "π": "pi",
    angle: "angle",
    "∠": "angle",
    triangle: "triangle",
    "△": "triangle",
    parallel: "is parallel to",
    "∥": "is parallel to",
    perp: "is perpendicular to",
    "⊥": "is perpendicular to",
    "%": "per cent",
    "(": "open bracket",
    ")": "close bracket",
    "[": "open square bracket",
    "]": "close square bracket",
    lbrace: "open brace",
    rbrace: "close brace",
    "!": "factorial",
    "'": "prime",
    prime: "prime",
    ldots: "and so on",
    dots: "and so on",
    cdots: "and so on",
    infty: "infinity",
    "∞": "infinity",
    in: "is in",
    "∈": "is in",
    notin: "is not in",
    subset: "is a subset of",
    cup: "union",
    cap: "intersection",
    emptyset: "the empty set",
    varnothing: "the empty set",
    to: "to",
    rightarrow: "to",
    Rightarrow: "implies",
    Leftrightarrow: "is equivalent to",
    mid: "divides",
    sum: "sum",
    int: "integral",
    "√": "the square root of",
    point: "point",
    "²": "squared",
    "³": "cubed",
  },
  negative: "negative",
  degrees: "degrees",
  fraction: (above, below, isSimple) => {
    const names = /^\d{1,2}$/.test(above) ? PARTS[below] : undefined;
    if (names !== undefined) return `${above} ${names[above === "1" ? 0 : 1]}`;
    return isSimple ? `${above} over ${below}` : `the fraction with numerator ${above} and denominator ${below}, end of fraction`;
  },
  mixed: (whole, fraction) => `${whole} and ${fraction}`,
  power: (exponent, isSimple) => {
    if (exponent === "2") return "squared";
    if (exponent === "3") return "cubed";
    return isSimple ? `to the power of ${exponent}` : `to the power of ${exponent}, end of power`;
  },
  index: (words) => `sub ${words}`,
  root: (words, degree, isSimple) => `the ${ROOTS[degree] ?? `${degree}th`} root of ${words}${isSimple ? "" : ", end of root"}`,
  absolute: ["the absolute value of", ", end of absolute value"],
  over: {
    underline: (words) => `${words} underlined`,
    overline: (words) => `${words} with a bar above`,
    vec: (words) => `vector ${words}`,
    widehat: (words) => `angle ${words}`,
  },
  blank: "blank",
  picture: "There is a picture.",
  number: /^\d+(?:,\d{3})+(?!\d)(?:\.\d+)?|^\d+(?:\.\d+)?/,
};

const vi: Tongue = {
  signs: {
    ...LETTERS,
    ...FUNCTIONS_VI,
    "+": "cộng",
    "-": "trừ",
    "−": "trừ",
    times: "nhân",
    "×": "nhân",
    cdot: "nhân",
    "·": "nhân",
    "*": "nhân",
    div: "chia",
    "÷": "chia",
    "/": "trên",
    ":": "chia",
    "=": "bằng",
    ne: "khác",
    neq: "khác",
    "≠": "khác",
    "<": "nhỏ hơn",
    lt: "nhỏ hơn",
    ">": "lớn hơn",
    gt: "lớn hơn",
    le: "nhỏ hơn hoặc bằng",
    leq: "nhỏ hơn hoặc bằng",
    leqslant: "nhỏ hơn hoặc bằng",
    "≤": "nhỏ hơn hoặc bằng",
    ge: "lớn hơn hoặc bằng",
    geq: "lớn hơn hoặc bằng",
    geqslant: "lớn hơn hoặc bằng",
    "≥": "lớn hơn hoặc bằng",
    approx: "xấp xỉ",
    "≈": "xấp xỉ",
    equiv: "đồng nhất với",
    sim: "đồng dạng với",
    cong: "bằng",
    pm: "cộng trừ",
    "±": "cộng trừ",
    "°": "độ",
    circ: "độ",
    pi: "pi",
    "π": "pi",
    angle: "góc",
    "∠": "góc",
    triangle: "tam giác",
    "△": "tam giác",
    parallel: "song song với",
    "∥": "song song với",
    perp: "vuông góc với",
    "⊥": "vuông góc với",
    "%": "phần trăm",
    "(": "mở ngoặc",
    ")": "đóng ngoặc",
    "[": "mở ngoặc vuông",
    "]": "đóng ngoặc vuông",
    lbrace: "mở ngoặc nhọn",
    rbrace: "đóng ngoặc nhọn",
    "!": "giai thừa",
    "'": "phẩy",
    prime: "phẩy",
    ldots: "vân vân",
    dots: "vân vân",
    cdots: "vân vân",
    infty: "vô cùng",
    "∞": "vô cùng",
    in: "thuộc",
    "∈": "thuộc",
    notin: "không thuộc",
    subset: "là tập con của",
    cup: "hợp",
    cap: "giao",
    emptyset: "tập rỗng",
    varnothing: "tập rỗng",
    to: "tới",
    rightarrow: "tới",
    Rightarrow: "suy ra",
    Leftrightarrow: "tương đương với",
    mid: "là ước của",
    sum: "tổng",
    int: "tích phân",
    "√": "căn bậc hai của",
    point: "phẩy",
    "²": "bình phương",
    "³": "lập phương",
  },
  negative: "âm",
  degrees: "độ",
  fraction: (above, below, isSimple) => (isSimple ? `${above} phần ${below}` : `phân số có tử số là ${above} và mẫu số là ${below}, hết phân số`),
  mixed: (whole, fraction) => `${whole} và ${fraction}`,
  power: (exponent, isSimple) => {
    if (exponent === "2") return "bình phương";
    if (exponent === "3") return "lập phương";
    return isSimple ? `mũ ${exponent}` : `mũ ${exponent}, hết số mũ`;
  },
  index: (words) => `chỉ số ${words}`,
  root: (words, degree, isSimple) => `căn bậc ${({ "": "hai", 2: "hai", 3: "ba", 4: "bốn" } as Record<string, string>)[degree] ?? degree} của ${words}${isSimple ? "" : ", hết căn"}`,
  absolute: ["giá trị tuyệt đối của", ", hết giá trị tuyệt đối"],
  over: {
    underline: (words) => `${words} có gạch chân`,
    overline: (words) => `${words} có gạch ngang trên đầu`,
    vec: (words) => `vectơ ${words}`,
    widehat: (words) => `góc ${words}`,
  },
  blank: "chỗ trống",
  picture: "Có một hình vẽ.",
  number: /^\d+(?:[.,]\d+)*/,
};

export const TONGUES: Record<Language, Tongue> = { en, vi };
