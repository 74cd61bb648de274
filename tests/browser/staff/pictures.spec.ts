// Takes the pictures of the desk for the documentation, if `PICTURES` names a folder: of a room that a stubbed socket describes.

import { join } from "node:path";
import { expect, test } from "../hall";
import { ready, School } from "../sitting";

const FOLDER = process.env["PICTURES"];
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

if (FOLDER !== undefined) {
  const picture = (name: string) => ({ path: join(FOLDER, `${name}.png`) });

  test("the desk and the projector's page have their pictures", async ({ browser, hall }) => {
    const school = await School.open(browser, hall, [{ name: "Ada", room: "B12", seat: "1" }, { name: "Bo", room: "B12", seat: "2" }], { start: "proctor", rooms: [{ name: "B12" }] });
    const { page } = school;
    const ada = (await school.entered("Ada")).page;
    await ready(ada);
    await page.goto(`/sittings/${school.sitting.id}/screen`);
    await expect(page.getByText("1 student still to come")).toBeVisible();
    await page.screenshot(picture("projector"));
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
    await page.screenshot(picture("desk"));
    await page.setViewportSize({ width: 390, height: 780 });
    await page.screenshot(picture("desk-phone"));
    await page.setViewportSize({ width: 1280, height: 800 });
    phase = "end";
    await page.goto(`/staff/sittings/${school.sitting.id}/desk?step=dismiss`);
    await expect(page.getByText("27 of 28 tests are stored.")).toBeVisible();
    await page.screenshot(picture("dismiss"));
  });
}
