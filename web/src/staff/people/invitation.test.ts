import { expect, test } from "vitest";
import { invitationLink } from "./invitation";
import en from "./texts/en";
import vi from "./texts/vi";

const rita = { email: "rita&co@school.example", name: "Rita Nguyễn", role: "reviewer" as const };
const letter = (link: string) => new URL(link);

test("an invitation is the school's, says the role and the address, and goes to that person alone", () => {
  for (const texts of [en, vi]) {
    const link = letter(invitationLink(rita, "Lê Lợi & friends", "https://exam.example", texts));
    expect([link.protocol, decodeURIComponent(link.pathname)]).toEqual(["mailto:", rita.email]);
    const [subject = "", body = ""] = [link.searchParams.get("subject"), link.searchParams.get("body")].map((text) => text ?? "");
    expect(subject).toContain("Lê Lợi & friends");
    for (const part of ["Rita Nguyễn", "Lê Lợi & friends", texts.roles.reviewer, "https://exam.example/staff", rita.email]) expect(body).toContain(part);
    expect([...link.searchParams.keys()]).toEqual(["subject", "body"]);
  }
});

test("students are led to their own pages", () => {
  const link = letter(invitationLink({ ...rita, role: "student" }, "Lê Lợi", "https://exam.example", en));
  expect(link.searchParams.get("body")).toContain("https://exam.example/\r\n");
});
