// The settings of a school, changed over the API by the admin of a page.

import type { Page } from "@playwright/test";
import { expect } from "./hall";

export const SCHOOL = { name: "Trường THCS Trần Phú", colour: "#7a1f5c", languages: ["vi", "en"], timeZone: "Asia/Ho_Chi_Minh" };
/** Pixels of the crest, across and down. */
export const CREST_SIZE = 96;

export async function setUp(page: Page, changes: Record<string, unknown>): Promise<void> {
  const status = await page.evaluate(async (changes) => {
    const tag = (await fetch("/api/admin/school")).headers.get("ETag") ?? "";
    const headers = { "Content-Type": "application/json", "If-Match": tag };
    return (await fetch("/api/admin/school", { method: "PATCH", headers, body: JSON.stringify(changes) })).status;
  }, changes);
  expect(status).toBe(200);
}

/** Gives the school a crest: a shield with a star. */
export async function giveCrest(page: Page): Promise<void> {
  const status = await page.evaluate(
    async ([size, colour]) => {
      const canvas = Object.assign(document.createElement("canvas"), { width: size, height: size });
      const context = canvas.getContext("2d")!;
      context.scale(size / 96, size / 96);
      const fill = (path: string, style: string) => {
        context.fillStyle = style;
        context.fill(new Path2D(path));
      };
      fill("M8 8H88V48C88 72 68 86 48 94C28 86 8 72 8 48Z", colour);
      fill("M48 22L54 40H73L58 51L64 69L48 58L32 69L38 51L23 40H42Z", "#f7c948");
      const body = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
      const tag = (await fetch("/api/admin/school")).headers.get("ETag") ?? "";
      return (await fetch("/api/admin/school/crest", { method: "PUT", headers: { "Content-Type": "image/png", "If-Match": tag }, body })).status;
    },
    [CREST_SIZE, SCHOOL.colour] as const,
  );
  expect(status).toBeLessThan(300);
}
