// What is written down of a test: each key that was pressed, and what was said then.

import { writeFile } from "node:fs/promises";

/** Keys by their names in X, as people call them. */
const NAMES: Record<string, string> = { Down: "↓", Up: "↑", space: "Space", Return: "Enter", "shift+Tab": "Shift+Tab", KP_Add: "Num +" };

/** What differs from one run to the next. */
const FLEETING: [RegExp, string][] = [
  [/127\.0\.0\.1:\d+/g, "the server"],
  [/[0-9a-f]{8}-[0-9a-f-]{27}/g, "…"],
  [/\b\d{1,2}:\d{2}(?: ?[AP]M)?\b/g, "…"],
  [/\b(?:\d+ min )?\d+ s\b/g, "…"],
  [/\b\d{1,2} [A-Z][a-z]+ 20\d\d\b/g, "…"],
];

export class Account {
  #lines: string[] = [];

  /** A part of the test, with a sentence on what the student does. */
  part(title: string, sentence: string): void {
    this.#lines.push("", `## ${title}`, "", sentence, "", "| key | what is said |", "|---|---|");
    console.log(`\n${title}`);
  }

  note(key: string, said: string[]): string[] {
    const words = said.length === 0 ? "(nothing)" : cell(said.join(" / "));
    this.#lines.push(`| ${NAMES[key] ?? cell(key)} | ${words} |`);
    console.log(`${key}: ${words}`);
    return said;
  }

  async write(path: string, before: string): Promise<void> {
    await writeFile(path, `${before.trim()}\n${this.#lines.join("\n")}\n`);
  }
}

function cell(text: string): string {
  const steady = FLEETING.reduce((text, [pattern, instead]) => text.replace(pattern, instead), text);
  return steady.replace(/\s+/g, " ").replaceAll("|", "\\|");
}
