import { expect, test } from "vitest";
import { isNewPicture, isPicture, sizeOf } from "./picture";

const drawing = (tag: string) => `data:image/svg+xml,${encodeURIComponent(`${tag}<path d="M0 0h9"/></svg>`)}`;

test("only addresses of pictures are pictures", () => {
  for (const address of ["https://school.example/a.png", "/a.png", "data:image/svg+xml,<svg/>", "data:image/png;base64,AA"]) expect(isPicture(address), address).toBe(true);
  for (const address of ["/api/school/crest?v=2", "/media/a.png", "/icon.svg"]) expect(isPicture(address) && isNewPicture(address), address).toBe(true);
  for (const address of ["/a.png", "/media", "/media/../a.png"]) expect(isNewPicture(address), address).toBe(false);
  for (const address of ["/api/admin/export", "/media/../api/admin/export", "/media/%2e%2e/api/x", "/auth/sign-in", "/\\school.example/a.png"]) expect(isPicture(address) || isNewPicture(address), address).toBe(false);
  for (const address of ["", "a.png", "//school.example/a.png", "javascript:1", "data:text/html,x", "data:image/tiff,x"]) expect(isPicture(address), address).toBe(false);
});

test("a drawing says how large it is", () => {
  expect(sizeOf(drawing(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 180">`))).toEqual({ width: 320, height: 180 });
  expect(sizeOf(drawing(`<svg viewBox='-10,-10 40.5,20' width="100%">`))).toEqual({ width: 40.5, height: 20 });
  expect(sizeOf(drawing(`<svg width="200px" height="100" viewBox="0 0 1 1">`))).toEqual({ width: 200, height: 100 });
  expect(sizeOf(`data:image/svg+xml;charset=utf-8;base64,${btoa('<svg viewBox="0 0 30 20"></svg>')}`)).toEqual({ width: 30, height: 20 });
  expect(sizeOf(`data:image/svg+xml;utf8,<svg viewBox="0 0 30 20"></svg>`)).toEqual({ width: 30, height: 20 });
});

test("a stroke's width is not the drawing's", () => {
  expect(sizeOf(drawing(`<svg stroke-width="2" viewBox="0 0 30 20">`))).toEqual({ width: 30, height: 20 });
});

test("what does not say it has no size", () => {
  for (const address of ["/a.svg", "data:image/png;base64,AAAA", drawing("<svg>"), drawing(`<svg viewBox="0 0 0 20">`), drawing(`<svg viewBox="0 0 9e9 20">`)]) {
    expect(sizeOf(address), address).toBeUndefined();
  }
  expect(sizeOf("data:image/svg+xml,%")).toBeUndefined();
  expect(sizeOf("data:image/svg+xml;base64,!!!!")).toBeUndefined();
});

test("a long drawing is read from its beginning alone", () => {
  expect(sizeOf(drawing(`<svg viewBox="0 0 30 20"><path d="${"é".repeat(5_000)}"/>`))).toEqual({ width: 30, height: 20 });
});
