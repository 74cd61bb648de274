import { expect, test } from "vitest";
import { CREST_BYTES_MAX, crestType, readCrest, scaledSizes } from "./crest";

const bytes = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

test("a picture is known by its first bytes", () => {
  expect(crestType(bytes("\u0089PNG\r\n\u001A\nrest"))).toBe("image/png");
  expect(crestType(bytes("\u00FF\u00D8\u00FF\u00E0rest"))).toBe("image/jpeg");
  expect(crestType(bytes("RIFF\u0001\u0002\u0003\u0004WEBPVP8 "))).toBe("image/webp");
  expect(["", "GIF89a", "<svg xmlns=", "RIFF1234AVI "].map((text) => crestType(bytes(text)))).toEqual(Array(4).fill(undefined));
});

test("what is no picture, or a drawing, is not read any further", async () => {
  expect(await readCrest(new Blob([new Uint8Array(CREST_BYTES_MAX + 1)]))).toBe("kind");
  expect(await readCrest(new Blob(["<svg></svg>"], { type: "image/png" }))).toBe("drawing");
  expect(await readCrest(new Blob(['<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"/>']))).toBe("drawing");
  expect(await readCrest(new Blob(["<html><svg></svg></html>"]))).toBe("kind");
});

test("a large picture is made smaller step by step, in its shape, and a small one never larger", () => {
  expect(scaledSizes({ width: 6_000, height: 3_000 }).map(({ width, height }) => [width, height])).toEqual([
    [1_024, 512],
    [768, 384],
    [512, 256],
    [384, 192],
    [256, 128],
    [128, 64],
  ]);
  expect(scaledSizes({ width: 300, height: 400 }).map(({ width, height }) => [width, height])).toEqual([
    [300, 400],
    [288, 384],
    [192, 256],
    [96, 128],
  ]);
  expect(scaledSizes({ width: 9_000, height: 1 }).at(-1)).toEqual({ width: 128, height: 1 });
});
