// What proctors look for at the desk: the step that is on, the orders for everyone, a seat, a code for one student, and what the
// others have noted.

import type { Page } from "@playwright/test";
import { expect, test } from "../hall";
import { ready, School, type Candidate } from "../sitting";
import { at } from "../student";

const ROOM: Candidate[] = [
  { name: "Ada", room: "B12", seat: "1" },
  { name: "Bo", room: "B12", seat: "2", factor: 125 },
];
const PLAN = { start: "proctor", rooms: [{ name: "B12", proctors: ["rita@school.example"] }] };

const desk = (school: School) => `/staff/sittings/${school.sitting.id}/desk`;
const opensAt = (page: Page, step: string) => expect(page.locator(".desk")).toHaveAttribute("data-step", step);

test("a desk opens at the step that is on", async ({ browser, hall }) => {
  test.setTimeout(90_000);
  const school = await School.open(browser, hall, ROOM, PLAN);
  const { page } = school;
  const ada = (await school.entered("Ada")).page;
  await ready(ada);
  await page.goto(desk(school));
  await opensAt(page, "prepare");
  await school.begin();
  await at(ada, 1);
  await page.goto(desk(school));
  await opensAt(page, "watch");
  await expect(page.locator("li.tile")).toHaveCount(2);
});
