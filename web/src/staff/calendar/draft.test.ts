import { expect, test } from "vitest";
import { bodyOf, eventDraftOf, announcedExam, eventFaults, eventMinutes, newEventDraft, withMinutes, withStart } from "./draft";
import { eventOf } from "./testing/events";
import type { EventExam, VenueView } from "./shapes";

const HALL: VenueView = { id: 7, status: "publish", venue: "Great &#038; Small Hall" };

test("an event that is not changed sends nothing", () => {
  const exam = { templateId: "t1" };
  const website = "https://exam.test/t/t1?event=23";
  const event = eventOf({ venue: HALL, title: "A &#038; B", description: "<p>One</p>\n<p>Two</p>", exam, website });
  const draft = eventDraftOf(event);
  expect([draft.title, draft.description, draft.venue?.name, draft.website]).toEqual(["A & B", "One\n\nTwo", "Great & Small Hall", ""]);
  expect(bodyOf({ ...draft }, draft, 23)).toEqual({});
});

test("only what has changed is sent", () => {
  const before = eventDraftOf(eventOf({ venue: HALL }));
  expect(bodyOf({ ...before, title: " A < B " }, before)).toEqual({ title: "A &lt; B" });
  expect(bodyOf({ ...before, endTime: "11:00" }, before)).toEqual({
    start_date: "2027-06-01 09:00",
    end_date: "2027-06-01 11:00",
    all_day: false,
    timezone: "Asia/Ho_Chi_Minh",
  });
  expect(bodyOf({ ...before, isAllDay: true }, before)).toMatchObject({ all_day: true, start_date: "2027-06-01", end_date: "2027-06-01" });
  expect(bodyOf({ ...before, venue: null }, before)).toEqual({ venue: "" });
  expect(bodyOf({ ...before, venue: { name: "B12", fields: { city: " Ghent ", address: "" } } }, before)).toEqual({ venue: { venue: "B12", city: "Ghent" } });
  const organizers = [{ id: 3, name: "Rita", fields: {} }, { name: "An", fields: { email: "an@school.example" } }];
  expect(bodyOf({ ...before, organizers }, before)).toEqual({ organizer: [3, { organizer: "An", email: "an@school.example" }] });
  expect(bodyOf({ ...before, tags: [{ id: 1, name: "maths", fields: {} }, { name: "R&D", fields: {} }] }, before)).toEqual({ tags: [1, "R&amp;D"] });
  const described = { ...before, description: "x" };
  expect(bodyOf(before, described)).toEqual({ description: " " });
});

test("an event is made as long as its test", () => {
  const draft = { ...newEventDraft("2027-06-01", "UTC", "draft"), startTime: "23:30" };
  const longer = { ...draft, ...withMinutes(draft, 70) };
  expect([longer.endDay, longer.endTime, eventMinutes(longer)]).toEqual(["2027-06-02", "00:40", 70]);
  expect(eventMinutes({ ...longer, isAllDay: true })).toBeNaN();
  expect(withMinutes({ ...draft, startTime: "" }, 70)).toEqual({});
});

test("a new event is sent with what is filled in", () => {
  const draft = { ...newEventDraft("2027-06-01", "UTC", "draft"), title: "Open day" };
  const times = { start_date: "2027-06-01 09:00", end_date: "2027-06-01 10:00", all_day: false, timezone: "UTC" };
  expect(bodyOf(draft)).toEqual({ title: "Open day", ...times, status: "draft" });
});

test("exams have three kinds", () => {
  const ofGrade: EventExam = { grade: 5, mode: "standard", durationMinutes: 60 };
  const exams: EventExam[] = [{ templateId: "t1", opensMinutesBefore: 10 }, { sittingId: "s1" }, ofGrade, { templateId: "t2", opensMinutesBefore: 0 }];
  expect(exams.map((exam) => announcedExam(eventDraftOf(eventOf({ exam })).exam))).toEqual(exams);
  expect(announcedExam(eventDraftOf(eventOf()).exam)).toBe("");
});

test("a website that is not the exam's is the event's own", () => {
  const exam: EventExam = { grade: 5, mode: "standard", durationMinutes: 60 };
  expect(eventDraftOf(eventOf({ exam, website: "https://exam.test/test/5?minutes=60&event=23" })).website).toBe("");
  expect(eventDraftOf(eventOf({ exam, website: "https://school.example/" })).website).toBe("https://school.example/");
  const before = eventDraftOf(eventOf({ website: "https://school.example/" }));
  expect(bodyOf({ ...before, website: "" }, before, 23)).toEqual({ website: "" });
});

test("the end moves with the start", () => {
  const draft = newEventDraft("2027-06-01", "UTC", "draft");
  expect(withStart(draft, "2027-06-02", "23:30")).toEqual({ startDay: "2027-06-02", startTime: "23:30", endDay: "2027-06-03", endTime: "00:30" });
  expect(withStart(draft, "", "23:30")).toEqual({ startDay: "", startTime: "23:30" });
});

test("what is missing or wrong is named", () => {
  const draft = { ...newEventDraft("2027-06-01", "UTC", "draft"), title: "x" };
  expect(eventFaults(draft)).toEqual([]);
  expect(eventFaults({ ...draft, title: " ", endTime: "08:00", timezone: "", website: "school.example", venue: { name: " ", fields: {} } })).toEqual([
    "title",
    "end",
    "timezone",
    "venue",
    "website",
  ]);
  expect(eventFaults({ ...draft, startDay: "", endDay: "2027-02-30" })).toEqual(["start", "end"]);
  expect(eventFaults({ ...draft, exam: { ...draft.exam, kind: "template" } })).toEqual(["exam"]);
  expect(eventFaults({ ...draft, exam: { ...draft.exam, kind: "grade", minutes: "5", opensBefore: "20000" } })).toEqual(["minutes", "opensBefore"]);
});
