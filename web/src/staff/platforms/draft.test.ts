import { expect, test } from "vitest";
import { EMPTY_ENTRY, entryFaults, newPlatform, optionChanges, optionFaults, originsIn, platformOptions, type PlatformEntry } from "./draft";
import { examplePlatform } from "./testing/platform";

const ENTRY: PlatformEntry = {
  name: " Moodle ",
  issuer: "https://lms.school.example/ ",
  clientId: " abc",
  authorization: "https://lms.school.example/auth.php",
  token: "https://lms.school.example/token.php",
  jwks: "https://lms.school.example/certs.php",
  deployment: " 1 ",
};

test("of an empty entry everything is missing but the deployment", () => {
  expect(entryFaults(EMPTY_ENTRY)).toEqual({ name: "missing", issuer: "missing", clientId: "missing", authorization: "missing", token: "missing", jwks: "missing" });
  expect(entryFaults(ENTRY)).toEqual({});
});

test("addresses must be whole, and nothing may be too long", () => {
  const faults = entryFaults({ ...ENTRY, issuer: "lms.school.example", token: "https://", jwks: "https://a b", name: "x".repeat(201), clientId: "x".repeat(256) });
  expect(faults).toEqual({ issuer: "noAddress", token: "noAddress", jwks: "noAddress", name: "long", clientId: "long" });
});

test("an entry is sent without the room around it, and its issuer letter by letter", () => {
  expect(newPlatform(ENTRY)).toEqual({
    name: "Moodle",
    issuer: "https://lms.school.example/",
    clientId: "abc",
    endpoints: { authorization: ENTRY.authorization, token: ENTRY.token, jwks: ENTRY.jwks },
    deployments: [{ id: "1", state: "active" }],
  });
  expect(newPlatform({ ...ENTRY, deployment: " " }).deployments).toEqual([]);
});

test("origins are taken from whole addresses, each once, and what is none is refused", () => {
  expect(originsIn("https://LMS.school.example/mod/lti?x=1\n\nhttps://lms.school.example, https://b.example:8443 https://b.example:443")).toEqual([
    "https://lms.school.example",
    "https://b.example:8443",
    "https://b.example",
  ]);
  expect(originsIn(" ")).toEqual([]);
  for (const wrong of ["lms.school.example", "https://", "https://me@lms.school.example", "*", "javascript:alert(1)"]) expect(originsIn(wrong), wrong).toBeUndefined();
  expect(originsIn(Array.from({ length: 11 }, (_, index) => `https://a${index}.example`).join("\n"))).toBeUndefined();
});

test("only what differs is sent, and an empty recipient is none", () => {
  const stored = examplePlatform({ grades: [5], frameOrigins: ["https://lms.school.example"], tokenAudience: "https://aud" });
  const typed = platformOptions(stored);
  expect(optionChanges(stored, typed)).toEqual({});
  expect(optionChanges(stored, { ...typed, grades: [5, 6], audience: " ", trustsEmails: true, staffOnlyChoose: true, origins: "" })).toEqual({
    grades: [5, 6],
    tokenAudience: null,
    trustsEmails: true,
    staffOnlyChoose: true,
    frameOrigins: [],
  });
  const jwks = "https://lms.school.example/other";
  expect(optionChanges(stored, { ...typed, jwks, scoreForm: "points", name: " Other " })).toEqual({ name: "Other", scoreForm: "points", endpoints: { ...stored.endpoints, jwks } });
});

test("options that can't be saved are named", () => {
  const typed = platformOptions(examplePlatform());
  expect(optionFaults(typed)).toEqual({});
  expect(optionFaults({ ...typed, name: " ", origins: "lms", token: "", jwks: "x" })).toEqual({ name: "missing", origins: "noOrigins", token: "missing", jwks: "noAddress" });
});
