import { expect, test } from "vitest";
import { canRegister, kindOfProduct, OUR_ADDRESSES, ourAddress, PLATFORM_KINDS } from "./kinds";

test("our addresses stand under the origin of the page, each once", () => {
  const all = OUR_ADDRESSES.map((which) => ourAddress(which, "https://exam.school.example"));
  expect(all).toEqual([
    "https://exam.school.example/lti/register",
    "https://exam.school.example/lti/login",
    "https://exam.school.example/lti/launch",
    "https://exam.school.example/lti/jwks",
  ]);
});

test("all but Open edX and Blackboard register at one address", () => {
  expect(PLATFORM_KINDS.filter((kind) => !canRegister(kind))).toEqual(["openedx", "blackboard"]);
});

test("a product is one of the kinds, whatever its case, and others are others", () => {
  expect(["moodle", "Canvas", "desire2learn", "BrightSpace", "openedx", "edX"].map(kindOfProduct)).toEqual(["moodle", "canvas", "brightspace", "brightspace", "openedx", "openedx"]);
  expect(kindOfProduct("BlackboardLearn")).toBe("blackboard");
  expect([undefined, null, "", "sakai", "other"].map(kindOfProduct)).toEqual(["other", "other", "other", "other", "other"]);
});
