import { expect, test } from "vitest";
import { roomQuery, roomNameOf } from "./room";

test("each kind of hall has its name, for the socket and for requests", () => {
  expect(roomNameOf({ kind: "sitting", sittingId: "7c1d" })).toEqual({ sittingId: "7c1d" });
  expect(roomNameOf({ kind: "sitting", sittingId: "7c1d", room: "B12" })).toEqual({ sittingId: "7c1d", room: "B12" });
  expect(roomNameOf({ kind: "grade", grade: 10 })).toEqual({ grade: 10 });
  expect(roomNameOf({ kind: "template", templateId: "5e0c" })).toEqual({ templateId: "5e0c" });
  expect(roomQuery({ sittingId: "7c1d", room: "B 12&" })).toBe("sittingId=7c1d&room=B+12%26");
});
