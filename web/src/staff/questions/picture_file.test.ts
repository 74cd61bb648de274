import { expect, test } from "vitest";
import { faultOfAnswer, faultOfFile, PICTURE_BYTES_MAX, pictureIn } from "./picture_file";

const file = (type: string, size = 10) => ({ type, size }) as File;

test("a picture is found among what was pasted", () => {
  expect(pictureIn([file("text/html"), file("image/png")])?.type).toBe("image/png");
  expect(pictureIn([file("application/pdf")])?.type).toBe("application/pdf");
  expect([pictureIn([]), pictureIn(null)]).toEqual([undefined, undefined]);
});

test("what the server does not take is said before it is sent", () => {
  expect(faultOfFile(file("image/gif"))).toBe("type");
  expect(faultOfFile(file("image/png", PICTURE_BYTES_MAX + 1))).toBe("large");
  expect(faultOfFile(file("image/svg+xml", PICTURE_BYTES_MAX))).toBeUndefined();
});

test("what the server says of a picture has a name of its own", () => {
  const refused = (status: number, error: string) => faultOfAnswer({ kind: "refused", status, error, body: undefined });
  expect(refused(400, "Invalid picture")).toBe("invalid");
  expect(refused(400, "The picture cannot be made small enough")).toBe("detailed");
  expect([refused(413, ""), refused(429, "Too many requests")]).toEqual(["large", "many"]);
  expect([refused(503, "The server is busy"), faultOfAnswer({ kind: "unreachable" })]).toEqual([undefined, undefined]);
});
