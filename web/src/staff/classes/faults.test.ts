import { beforeAll, expect, test, vi } from "vitest";

beforeAll(() => {
  vi.stubGlobal("navigator", { languages: ["en"] });
  vi.stubGlobal("document", { documentElement: { dataset: {} } });
});

test("a class that templates are for names them", async () => {
  const { classFault } = await import("./faults");
  const body = { error: "Templates are for this class", templates: ["Decimals", "Fractions"] };
  const said = classFault({ kind: "refused", status: 409, error: body.error, body });
  expect(said).toContain("Decimals");
  expect(said).toContain("Fractions");
  expect(classFault({ kind: "refused", status: 409, error: "Class exists", body: undefined })).not.toContain("Decimals");
});
