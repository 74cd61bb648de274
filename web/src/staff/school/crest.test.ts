import { expect, test } from "vitest";
import { CREST_BYTES_MAX, crestType, readCrest } from "./crest";

const bytes = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

test("a picture is known by its first bytes", () => {
  expect(crestType(bytes("\u0089PNG\r\n\u001A\nrest"))).toBe("image/png");
  expect(crestType(bytes("\u00FF\u00D8\u00FF\u00E0rest"))).toBe("image/jpeg");
  expect(crestType(bytes("RIFF\u0001\u0002\u0003\u0004WEBPVP8 "))).toBe("image/webp");
  expect(["", "GIF89a", "<svg xmlns=", "RIFF1234AVI "].map((text) => crestType(bytes(text)))).toEqual(Array(4).fill(undefined));
});

test("what is too large or no picture is not read any further", async () => {
  expect(await readCrest(new Blob([new Uint8Array(CREST_BYTES_MAX + 1)]))).toBe("large");
  expect(await readCrest(new Blob(["<svg></svg>"], { type: "image/png" }))).toBe("kind");
});
