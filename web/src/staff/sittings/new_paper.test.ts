import "../testing/page";
import { afterEach, expect, test, vi } from "vitest";
import type { Answer } from "../api";
import { nextPaperName, PaperToBe, type DrawnPaper } from "./new_paper";
import { TEMPLATE_CHOICES } from "./shapes";
import en from "./texts/en";

afterEach(() => void vi.unstubAllGlobals());

test("the next paper has the next free number", () => {
  expect(nextPaperName("Week test", ["Week test"])).toBe("Week test (2)");
  expect(nextPaperName("Week test (2)", ["Week test", "Week test (2)"])).toBe("Week test (3)");
  expect(nextPaperName("x".repeat(200), [])).toBe(`${"x".repeat(196)} (2)`);
});

/** What is asked of the server, which removes what it is told to. */
function server(): string[] {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (address: string, { method = "GET" }: RequestInit = {}) => {
    asked.push(`${method} ${new URL(address, "http://hall.test").pathname}`);
    return new Response(JSON.stringify({ success: true, templates: [] }), { headers: { "Content-Type": "application/json" } });
  });
  return asked;
}

const DRAWN: Answer<DrawnPaper> = { kind: "done", value: { id: "p2", name: "Week test (2)", isShort: false } };
const REFUSED: Answer<string> = { kind: "refused", status: 409, error: "", body: undefined };
const PLANNED: Answer<string> = { kind: "done", value: "s2" };
/** The choices of templates are read again without it. */
const REMOVED = ["DELETE /api/manager/test-templates/p2", `GET ${TEMPLATE_CHOICES}`];

test("a paper whose sitting is refused is drawn once, and goes when the dialog is closed", async () => {
  const asked = server();
  const [paper, draw] = [new PaperToBe(), vi.fn(async () => DRAWN)];
  expect(await paper.planWith(draw, async () => REFUSED)).toEqual(REFUSED);
  expect(await paper.planWith(draw, async () => REFUSED)).toEqual(REFUSED);
  expect([draw.mock.calls.length, asked]).toEqual([1, []]);
  paper.close();
  await vi.waitFor(() => expect(asked).toEqual(REMOVED));
});

test("a paper that a sitting has stays, also where the dialog was closed before the answer came", async () => {
  const asked = server();
  const planned = new PaperToBe();
  expect(await planned.planWith(async () => DRAWN, async ({ id }) => ({ kind: "done", value: id }))).toEqual({ kind: "done", value: "p2" });
  planned.close();
  const [left, refused] = [new PaperToBe(), new PaperToBe()];
  const closing = (paper: PaperToBe, answer: Answer<string>) => paper.planWith(async () => DRAWN, async () => (paper.close(), answer));
  await closing(left, PLANNED);
  expect(asked).toEqual([]);
  await closing(refused, REFUSED);
  await vi.waitFor(() => expect(asked).toEqual(REMOVED));
});

test("whoever takes new questions reads that those chosen by hand go too", () => {
  expect(en.newPaperNote).toContain("chosen by hand");
});
