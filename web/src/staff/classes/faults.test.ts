import { expect, test } from "vitest";
import { classFault } from "./faults";

test("a class that templates are for names them", () => {
  const body = { error: "Templates are for this class", templates: ["Decimals", "Fractions"] };
  const said = classFault({ kind: "refused", status: 409, error: body.error, body });
  expect(said).toContain("Decimals");
  expect(said).toContain("Fractions");
  expect(classFault({ kind: "refused", status: 409, error: "Class exists", body: undefined })).not.toContain("Decimals");
});
