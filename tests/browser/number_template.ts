// A test in which every question asks for a number, of those that the sample bank has.

import type { Page } from "@playwright/test";
import { expect } from "./hall";
import { call, signInAsAdmin } from "./student";

export interface BankNumber {
  id: string;
  difficulty: number;
  options: string[];
  answer: string;
}

/** Signs in, and creates a template with all numbers of a grade. */
export async function numberTemplate(page: Page, grade = 5): Promise<{ id: string; bank: BankNumber[] }> {
  await signInAsAdmin(page);
  const bank = (await call(page, "GET", `/api/questions?grade=${grade}&types=number`)) as BankNumber[];
  expect(bank.length).toBeGreaterThan(4);
  expect(bank.filter(({ options }) => options.length > 0)).toEqual([]);
  const standardTargets = Object.fromEntries([1, 2, 3, 4, 5].map((difficulty) => [difficulty, bank.filter((question) => question.difficulty === difficulty).length]));
  const body = { name: "Numbers", grades: [grade], mode: "standard", durationMinutes: 30, types: "number", standardTargets };
  const { template } = await call(page, "POST", "/api/admin/test-templates", body);
  return { id: template.id, bank };
}
