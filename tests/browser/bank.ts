// The whole bank of a grade in one test, and what is to be seen of a question that is wrong. The second part runs in the page.

import type { Page } from "@playwright/test";
import { call } from "./student";

export interface BankQuestion {
  id: string;
  difficulty: number;
  question: string;
  options: string[];
  image?: string;
}

/** What has been seen of questions: faults, each with the beginning of its question, and all characters in text and in formulas. */
export interface Seen {
  faults: string[];
  inText: string;
  inFormulas: string;
}

/** Creates a template with all questions of the grade, and returns its id and their number. */
export async function wholeGrade(page: Page, grade: number): Promise<{ id: string; count: number }> {
  const questions = (await call(page, "GET", `/api/questions?grade=${grade}`)) as BankQuestion[];
  const standardTargets = Object.fromEntries([1, 2, 3, 4, 5].map((difficulty) => [difficulty, questions.filter((question) => question.difficulty === difficulty).length]));
  const { template } = await call(page, "POST", "/api/admin/test-templates", { name: `Grade ${grade}`, grades: [grade], mode: "standard", durationMinutes: 180, standardTargets });
  return { id: template.id, count: questions.length };
}

/** Goes through the test that has begun, looks at each question, and ends with the review. */
export function lookThrough(page: Page, count: number): Promise<Seen> {
  return page.evaluate(async (count) => {
    const seen = { faults: [] as string[], inText: "", inFormulas: "" };
    for (let number = 1; number <= count; number += 1) {
      await (window as any).settled(() => document.querySelector("h1")?.textContent === `Question ${number} of ${count}`);
      (window as any).look(document.querySelector("#question-text")?.closest(".card"), seen);
      document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
    }
    return seen;
  }, count);
}

/** Looks at everything that the report shows. */
export function lookAtReport(page: Page, count: number): Promise<Seen> {
  return page.evaluate(async (count) => {
    const seen = { faults: [] as string[], inText: "", inFormulas: "" };
    await (window as any).settled(() => document.querySelectorAll("article").length === count);
    for (const article of document.querySelectorAll("article")) (window as any).look(article, seen);
    return seen;
  }, count);
}

/** Gives pages what the functions above use. */
export async function eyes(page: Page): Promise<void> {
  await page.addInitScript(() => {
    performance.setResourceTimingBufferSize(5_000);
    const turn = new MessageChannel();
    const passed = () =>
      new Promise<void>((resolve) => {
        turn.port1.onmessage = () => resolve();
        turn.port2.postMessage(0);
      });
    /** A formula that is too wide is made smaller in the next frame. */
    const isFitted = async () => {
      const isWide = () => [...document.querySelectorAll(".formula")].some((node) => node.scrollWidth > node.clientWidth + 1);
      for (let frame = 0; frame < 3 && isWide(); frame += 1) await new Promise(requestAnimationFrame);
      return true;
    };
    /** Waits until the page is there, and its formulas and pictures with it. */
    const settled = async (isThere: () => boolean) => {
      const isWhole = () => document.querySelector("[data-formula=awaited]") === null && [...document.images].every(({ complete }) => complete);
      for (const until = performance.now() + 10_000; performance.now() < until; await passed()) if (isThere() && isWhole() && (await isFitted())) return;
      throw new Error(`not settled at ${document.querySelector("h1")?.textContent}`);
    };

    /** The letters that a formula shows in place of these. */
    const italic = (text: string) => {
      const from = (letter: string, first: string, code: number) => String.fromCodePoint(code + letter.codePointAt(0)! - first.codePointAt(0)!);
      if (text === "h") return "ℎ";
      if (/^[a-z]$/.test(text)) return from(text, "a", 0x1d44e);
      if (/^[A-Z]$/.test(text)) return from(text, "A", 0x1d434);
      if (/^[α-ω]$/.test(text)) return from(text, "α", 0x1d6fc);
      return /^[Α-Ω]$/.test(text) ? from(text, "Α", 0x1d6e2) : text;
    };

    const look = (root: Element, seen: { faults: string[]; inText: string; inFormulas: string }) => {
      const name = (root.querySelector(".question")?.textContent ?? "").slice(0, 60);
      const fault = (what: string) => seen.faults.push(`${innerWidth} px, ${name}: ${what}`);
      const [inText, inFormulas] = [new Set(seen.inText), new Set(seen.inFormulas)];
      let text = "";
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        const [parent, words] = [node.parentElement!, node.nodeValue!];
        text += words;
        const isFormula = parent.namespaceURI?.endsWith("MathML") === true && parent.localName !== "mtext";
        const isItalic = isFormula && parent.localName === "mi" && parent.getAttribute("mathvariant") !== "normal";
        for (const character of isItalic ? italic(words) : words) (isFormula ? inFormulas : inText).add(character);
      }
      [seen.inText, seen.inFormulas] = [[...inText].join(""), [...inFormulas].join("")];
      // A price is a dollar sign with its number.
      if (/\$(?!\d)/.test(text)) fault(`a dollar sign in ${text}`);
      if (text.includes("\\")) fault(`a backslash in ${text}`);
      if (root.querySelector("[data-formula]:not([data-formula=set]), merror") !== null) fault("a formula that could not be read");

      const inside = root.getBoundingClientRect();
      for (const part of [document.documentElement, root, ...root.querySelectorAll(".question, .option, label, li, .why, .formula")]) {
        if (part.scrollWidth > part.clientWidth + 1 && part.clientWidth > 0) fault(`${part.className || part.localName} is ${part.scrollWidth} wide in ${part.clientWidth}`);
      }
      for (const formula of root.querySelectorAll("math")) {
        const box = formula.getBoundingClientRect();
        if (box.right > inside.right + 1 || box.left < inside.left - 1) fault("a formula stands out of its card");
        if (box.width < 2 || box.height < 2) fault("a formula is empty");
      }
      for (const picture of root.querySelectorAll("img")) {
        if (picture.naturalWidth === 0) fault("a picture that does not load");
        if (picture.alt === "" || picture.alt.startsWith("Picture for question")) fault(`a picture without a description: ${picture.alt}`);
        const [wide, high] = [Number(picture.getAttribute("width")), Number(picture.getAttribute("height"))];
        const { width, height } = getComputedStyle(picture);
        // Browsers round the size that a drawing names to whole pixels.
        if (wide > 0 && Math.abs((parseFloat(width) * high) / wide - parseFloat(height)) > 2) fault(`a picture out of shape: ${width} by ${height}`);
      }
    };
    Object.assign(window, { settled, look });
  });
}
