// Takes pictures for the documentation: of the school's settings, and of a room that a stubbed socket describes.

import type { Page } from "@playwright/test";
import { takePicture, takesPictures, WITH_PICTURES } from "../documentation";
import { expect, test } from "../hall";
import { ready, School } from "../sitting";
import { call } from "../student";
import { signIn } from "./people";

const GIVEN = ["Ada", "Bảo", "Carmen", "Dmitri", "Emmy", "Farid", "Giang", "Hòa", "Ines", "Jun", "Khánh", "Lan", "Minh", "Noor", "Olga", "Phúc", "Quỳnh", "Rosa", "Sơn", "Thảo", "Uyên", "Vera", "Wim", "Xuân", "Yen", "Zoë", "Anh", "Bình"];

/** A candidate who has come this far in a paper of twenty. */
function seat(index: number, phase: "work" | "end"): object {
  const answered = phase === "end" ? 20 : 6 + ((index * 5) % 9);
  const isStill = phase === "work" || index === 9;
  const moment = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
  return {
    sessionId: `s${index}`, student: GIVEN[index], account: `${index}@school.example`, grade: 5, templateId: null, mode: "standard", state: isStill ? (index === 20 && phase === "work" ? "paused" : "active") : "submitted",
    connected: !(phase === "work" && index === 11), stage: 1, answered, marked: 0, total: 20, currentQuestionId: null, startedAt: moment(-25), deadline: moment(index === 4 ? 46 : 35), away: phase === "work" && index === 17,
    awayCount: index === 17 ? 2 : 0, lastSeenAt: moment(index === 11 ? -2.2 : -0.2), score: isStill ? null : 600, sittingId: "91aa", candidateId: `c${index}`, ready: true, room: "B12", seat: String(index + 1), factor: index === 4 ? 125 : 100,
    progress: `${"a".repeat(answered)}v`.slice(0, 20).padEnd(20, "-"), at: Math.min(19, answered), trouble: [], refused: 0,
  };
}

/** A shield on a ground that can be seen through. */
const CREST = `<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256" viewBox="0 0 20 20">
  <path d="M3 2h14v8c0 4-3 7-7 9c-4-2-7-5-7-9z" fill="#1d6b3f"/><path d="M6 9l4-4 4 4M6 13l4-4 4 4" fill="none" stroke="#fff" stroke-width="1.6"/></svg>`;

/** The drawing as a picture, made by the browser. */
async function drawn(page: Page, drawing: string): Promise<Buffer> {
  const base64 = await page.evaluate(async (drawing) => {
    const image = new Image();
    image.src = `data:image/svg+xml;base64,${btoa(drawing)}`;
    await image.decode();
    const canvas = Object.assign(document.createElement("canvas"), { width: 256, height: 256 });
    canvas.getContext("2d")?.drawImage(image, 0, 0);
    return canvas.toDataURL("image/png").split(",")[1] ?? "";
  }, drawing);
  return Buffer.from(base64, "base64");
}

if (takesPictures) {
  test("the settings of the school and the audit have their pictures", WITH_PICTURES, async ({ browser, hall }) => {
    const { page } = await signIn(browser, hall, "head@school.example", "Head", "/staff/school");
    const form = page.getByRole("form", { name: "Settings" });
    await form.getByLabel("Name of the school").fill("THCS Lê Lợi");
    await form.getByLabel("Colour in hexadecimal digits").fill("#1d6b3f");
    await form.getByLabel("Choose a picture").setInputFiles({ name: "crest.png", mimeType: "image/png", buffer: await drawn(page, CREST) });
    await form.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText("The settings of the school are saved.")).toBeVisible();
    await page.getByRole("button", { name: "Dismiss" }).click();
    await page.evaluate(() => scrollTo(0, 0));
    await takePicture(page, "school-settings");
    for (const [email, role] of [["rita", "reviewer"], ["max", "manager"]]) {
      await call(page, "PUT", `/api/admin/users/${email}%40school.example`, { role });
    }
    await call(page, "POST", "/api/admin/tokens", { name: "Moodle", role: "student" });
    await page.goto("/staff/school/audit");
    await expect(page.getByRole("grid", { name: "Audit" })).toContainText("Made a token");
    await takePicture(page, "audit");
  });

  test("the desk and the projector's page have their pictures", WITH_PICTURES, async ({ browser, hall }) => {
    const school = await School.open(browser, hall, [{ name: "Ada", room: "B12", seat: "1" }, { name: "Bo", room: "B12", seat: "2" }], { start: "proctor", rooms: [{ name: "B12" }] });
    const { page } = school;
    const ada = (await school.entered("Ada")).page;
    await ready(ada);
    await page.goto(`/sittings/${school.sitting.id}/screen`);
    await expect(page.getByText("1 student still to come")).toBeVisible();
    await takePicture(page, "projector");
    await school.begin();
    let phase: "work" | "end" = "work";
    await page.routeWebSocket(/\/api\/live\/proctor$/, (socket) =>
      socket.onMessage((message) => {
        if (!String(message).includes('"watch"')) return;
        const sessions = GIVEN.map((_, index) => seat(index, phase));
        socket.send(JSON.stringify({ type: "roster", room: {}, seq: 1, serverTime: new Date().toISOString(), partial: false, sessions, complete: true }));
      }),
    );
    await page.goto(`/staff/sittings/${school.sitting.id}/desk?step=watch`);
    await expect(page.locator("[data-attention]")).toContainText("Offline for");
    await expect(page.getByText("Where the room is")).toBeVisible();
    await takePicture(page, "desk");
    await page.setViewportSize({ width: 390, height: 780 });
    await takePicture(page, "desk-phone");
    await page.setViewportSize({ width: 1280, height: 800 });
    phase = "end";
    await page.goto(`/staff/sittings/${school.sitting.id}/desk?step=dismiss`);
    await expect(page.getByText("27 of 28 tests are stored.")).toBeVisible();
    await takePicture(page, "dismiss");
  });
}
