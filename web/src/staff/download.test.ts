import "./testing/page";
import { expect, test } from "vitest";
import { fileName, serverName } from "./download";

test("a file has the server's name, with all its letters", () => {
  const full = "attachment; filename=\"Toan-5-slips.pdf\"; filename*=UTF-8''To%C3%A1n-5-slips.pdf";
  expect(serverName(full)).toBe("Toán-5-slips.pdf");
  expect(serverName('attachment; filename="audit-2026-11-20.csv"')).toBe("audit-2026-11-20.csv");
  expect(serverName("attachment; filename=\"a.csv\"; filename*=UTF-8''%E1.csv")).toBe("a.csv");
  expect(serverName(null)).toBe("download");
});

test("a name of a page's own has letters, digits and hyphens", () => {
  expect(fileName("Sửa câu hỏi", undefined, "Lớp 5/A", "")).toBe("Sửa-câu-hỏi-Lớp-5-A");
});
