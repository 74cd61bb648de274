// Files of questions in the readers of others: gift-pegjs reads what the server exports and what is made up here, and
// mathml-to-latex the formulas that the server reads in Moodle XML.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import gift from "gift-pegjs";
import { MathMLToLaTeX } from "mathml-to-latex";

import { Hall } from "./hall.mjs";

const LETTERS = ["A", "B", "C", "D"];
const CASES = 80;
const hall = new Hall();

before(() => hall.open());
after(() => hall.close());

async function ask(path, body) {
  const answer = await fetch(hall.url + path, { method: body ? "POST" : "GET", headers: { authorization: `Bearer ${hall.token}` }, body });
  assert.equal(answer.status, 200, `${path}: ${await answer.clone().text()}`);
  return answer;
}

/** What a dry run of the file would store. */
async function dryRun(text) {
  const form = new FormData();
  form.append("grade", "5");
  form.append("difficulty", "2");
  form.append("file", new Blob([text]), "file");
  return (await ask("/api/admin/import?dryRun=true&preview=true", form)).json();
}

/** HTML of the export as the text that it stands for, apart from the signs of formulas. */
function plain(html) {
  const text = html
    .replace(/<br><img [^>]*>$/, "")
    .replace(/<br>/g, "\n")
    .replace(/<[^>]*>/g, "")
    .replace(/&nbsp;/g, "\u00a0");
  const signs = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };
  return text.replace(/&(lt|gt|quot|apos|amp);/g, (_, name) => signs[name]);
}

/** A text without the signs of formulas, which differ, and with one space where there are several. */
const bare = (text) => text.replace(/\\[()[\]]|\\?\$/g, "").replace(/[^\S\u00a0]+/g, " ").trim();

const isRight = ({ isCorrect, weight }) => weight === 100 || (weight === null && isCorrect);

test("gift-pegjs reads an export as the bank has it", async () => {
  const bank = await (await ask("/api/admin/questions?grade=5")).json();
  const read = gift.parse(await (await ask("/api/admin/export?grade=5&format=gift")).text());
  assert.ok(bank.length > 100);
  assert.equal(read.length, bank.length);
  for (const [index, question] of bank.entries()) {
    const { type, id, stem, choices, globalFeedback, tags } = read[index];
    const isNumber = question.type === "number";
    assert.deepEqual([type, id, stem.format], [isNumber ? "Numerical" : "MC", question.id, "html"]);
    assert.equal(bare(plain(stem.text)), bare(question.question));
    if (isNumber) {
      const key = [choices].flat().map((choice) => choice.text ?? choice);
      assert.deepEqual(key.map(({ number, range = 0 }) => [number, range]), [[Number(question.answer), Number(question.tolerance)]]);
    } else {
      assert.deepEqual(choices.map(({ text }) => bare(plain(text.text))), question.options.map(bare));
      assert.equal(LETTERS[choices.findIndex(isRight)], question.answer);
    }
    assert.equal(bare(plain(globalFeedback?.text ?? "")), bare(question.explanation));
    for (const tag of [`grade:${question.grade}`, `topic:${question.topic}`, `difficulty:${question.difficulty}`]) assert.ok(tags.includes(tag), tag);
  }
});

/** Numbers that look random and are the same at each run. */
function* dice(seed) {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state / 2 ** 32;
  }
}

function madeUp(next, number) {
  const pick = (list) => list[Math.floor(next() * list.length)];
  const text = () => Array.from({ length: 1 + Math.floor(next() * 4) }, () => pick(["word", "5", "x\\=5", "\\{a\\}", "a\\~b", "c\\:d", "e\\#f", "ü", "\\\\frac"])).join(" ");
  const right = Math.floor(next() * 4);
  const options = LETTERS.map((letter, place) => {
    const sign = place === right ? pick(["=", "~%100%"]) : pick(["~", "~", "~%-50%"]);
    return `${sign}${letter} ${text()}${next() < 0.3 ? `#${text()}` : ""}`;
  });
  // Without "=" gift-pegjs takes weights for several answers, as Moodle does.
  const name = next() < 0.5 ? `::N${number}\\: ${text()}::` : "";
  const general = next() < 0.3 ? `\n####${text()}` : "";
  const gap = pick([" ", "\n", "\n\t"]);
  // A space before the brace, which would else seem to be of a formula.
  return `// [id:made-${number}]\n${name}Q${number} ${text()} {${options.join(gap)}${general}\n}${next() < 0.2 ? " and so on." : ""}\n`;
}

test("made-up questions are read as gift-pegjs reads them", async () => {
  const numbers = dice(7);
  const file = Array.from({ length: CASES }, (_, number) => madeUp(() => numbers.next().value, number)).join("\n");
  const { preview, errors } = await dryRun(file);
  assert.deepEqual(errors, []);
  const read = gift.parse(file);
  assert.deepEqual([preview.length, read.length], [CASES, CASES]);
  const byId = new Map(preview.map((question) => [question.id, question]));
  for (const { id, stem, choices } of read) {
    const question = byId.get(id);
    assert.equal(bare(question.question), bare(stem.text), id);
    assert.deepEqual(question.options.map(bare), choices.map(({ text }) => bare(text.text)), id);
    assert.equal(question.answer, LETTERS[choices.findIndex(isRight)], id);
  }
});

const FORMULAS = [
  "<mn>5</mn><mo>+</mo><mi>x</mi>",
  "<mfrac><mn>1</mn><mn>2</mn></mfrac>",
  "<mfrac><mrow><mi>a</mi><mo>+</mo><mn>1</mn></mrow><mi>b</mi></mfrac>",
  "<msup><mi>x</mi><mn>2</mn></msup>",
  "<msup><mn>10</mn><mn>3</mn></msup>",
  "<msub><mi>a</mi><mi>n</mi></msub>",
  "<msubsup><mi>x</mi><mn>1</mn><mn>2</mn></msubsup>",
  "<msqrt><mi>x</mi><mo>+</mo><mn>1</mn></msqrt>",
  "<mroot><mi>x</mi><mn>3</mn></mroot>",
  "<mn>3</mn><mo>×</mo><mi>y</mi><mo>÷</mo><mn>4</mn>",
  "<mi>π</mi><msup><mi>r</mi><mn>2</mn></msup>",
  "<mi>x</mi><mo>≤</mo><mn>5</mn>",
  "<mi>x</mi><mo>≥</mo><mn>5</mn>",
  "<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover>",
  "<mfenced><mi>x</mi><mi>y</mi></mfenced>",
  "<mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr><mtr><mtd><mn>3</mn></mtd><mtd><mn>4</mn></mtd></mtr></mtable>",
  "<mfrac><msup><mi>a</mi><mn>2</mn></msup><msqrt><mi>b</mi></msqrt></mfrac>",
];

test("formulas of MathML are those of mathml-to-latex", async () => {
  const escaped = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;");
  const answers = LETTERS.map((letter) => `<answer fraction="${letter === "B" ? 100 : 0}"><text>${letter}</text></answer>`).join("");
  const question = (math, number) => `<question type="multichoice"><idnumber>f${number}</idnumber><questiontext format="html"><text>${escaped(`<math>${math}</math>`)}</text></questiontext>${answers}</question>`;
  const { preview, errors } = await dryRun(`<quiz>${FORMULAS.map(question).join("")}</quiz>`);
  assert.deepEqual(errors, []);
  const close = (latex) => latex.replace(/\s+/g, "");
  for (const [number, math] of FORMULAS.entries()) {
    const found = preview.find(({ id }) => id === `f${number}`).question;
    assert.equal(close(found), close(`$${MathMLToLaTeX.convert(`<math>${math}</math>`)}$`), math);
  }
});
