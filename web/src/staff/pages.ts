// Every staff page, one row each: its address, what loads it, who is offered it, its entry in the rail, its command in the
// palette. Whatever else must know the pages reads this table. A page is added by a row here, its component, and its texts.

import type { Component } from "svelte";
import { current, deskAt, type AgendaEntry } from "./agenda";
import { gradeOf, hallAt, resultsAt, type Hall, type ResultsOf } from "./halls";
import type { StaffTexts } from "./texts/en";

/** A text that is the same whatever it is about. */
type Title = { [Name in keyof StaffTexts]: StaffTexts[Name] extends string ? Name : never }[keyof StaffTexts];

/** To whom the rail and the palette offer a page. What it shows is guarded by the server alone. */
export type OfferedTo = "everybody" | "staff" | "managers" | "admins";

interface RailEntry {
  title: Title;
  offeredTo: OfferedTo;
  /** The lines of its icon, on a ground of 20 by 20. */
  icon: string;
  /** Where the entry leads as things are, if not to the page's first address. Without an address there is no entry. */
  leadsTo?: (agenda: AgendaEntry[]) => string | undefined;
}

interface PageCommand {
  title: Title;
  offeredTo: OfferedTo;
}

interface Row<Props extends object> {
  /** Its addresses. A part that begins with a colon stands for any, and is given to `props` by its name. */
  at: [string, ...string[]];
  /** Loads the page when it is first shown. Without it, web/src/staff/App.svelte shows the page itself. */
  load?: () => Promise<{ default: Component<Props> }>;
  /** What the page is shown with, by its address. Without any, the address is unknown. */
  props?: (parts: Partial<Record<string, string>>, query: URLSearchParams) => Props | undefined;
  /** Its own entry in the rail, or the page whose entry it shares. */
  rail?: RailEntry | string;
  command?: PageCommand;
}

export type PageRow = Row<any>;

/** A component that asks for more than its address says does not compile here. */
function page<Props extends object = object>(row: Row<Props>): Row<Props> {
  return row;
}

/** In the order of the rail and of the palette. The first row whose address fits is the page. */
export const PAGES = {
  today: page({
    at: ["/staff"],
    load: () => import("./today/TodayPage.svelte"),
    rail: { title: "today", offeredTo: "everybody", icon: "M10 3a7 7 0 1 0 0 14a7 7 0 1 0 0-14M10 6v4l3 2" },
  }),
  sittings: page({
    at: ["/staff/sittings"],
    load: () => import("./sittings/SittingsPage.svelte"),
    rail: { title: "sittings", offeredTo: "managers", icon: "M4 5h12v12H4zM4 8.500h12M7.500 3v3.500M12.500 3v3.500" },
  }),
  newSitting: page({
    at: ["/staff/sittings/new"],
    load: () => import("./sittings/NewSitting.svelte"),
    rail: "sittings",
    command: { title: "newSitting", offeredTo: "managers" },
  }),
  sitting: page<{ id: string }>({
    at: ["/staff/sittings/:id"],
    load: () => import("./sittings/SittingPage.svelte"),
    props: ({ id = "" }) => ({ id }),
    rail: "sittings",
  }),
  desk: page<{ hall: Hall }>({
    at: ["/staff/desk", "/staff/sittings/:id/desk"],
    load: () => import("./desk/DeskPage.svelte"),
    props: ({ id }, query) => given("hall", hallAt(id, query)),
    rail: { title: "desk", offeredTo: "everybody", icon: "M3 4h14v9H3zM7 17h6M10 13v4", leadsTo: deskNow },
  }),
  templates: page({
    at: ["/staff/templates"],
    load: () => import("./templates/TemplatesPage.svelte"),
    rail: { title: "templates", offeredTo: "managers", icon: "M5 3h7l3 3v11H5zM12 3v3h3M8 10h4M8 13h4" },
  }),
  newTemplate: page({
    at: ["/staff/templates/new"],
    load: () => import("./templates/NewTemplate.svelte"),
    rail: "templates",
    command: { title: "newTemplate", offeredTo: "managers" },
  }),
  template: page<{ id: string }>({
    at: ["/staff/templates/:id"],
    load: () => import("./templates/TemplatePage.svelte"),
    props: ({ id = "" }) => ({ id }),
    rail: "templates",
  }),
  questions: page({
    at: ["/staff/questions"],
    load: () => import("./questions/QuestionsPage.svelte"),
    rail: {
      title: "questions",
      offeredTo: "staff",
      icon: "M5 3h10v14H5zM8.500 8a1.500 1.500 0 1 1 2.200 1.300c-.500.300-.700.600-.700 1.200M10 13.500v.1",
    },
  }),
  newQuestion: page({
    at: ["/staff/questions/new"],
    load: () => import("./questions/NewQuestionPage.svelte"),
    rail: "questions",
    command: { title: "newQuestion", offeredTo: "staff" },
  }),
  retiredQuestions: page({ at: ["/staff/questions/retired"], load: () => import("./questions/RetiredPage.svelte"), rail: "questions" }),
  importQuestions: page({ at: ["/staff/questions/import"], load: () => import("./questions/ImportPage.svelte"), rail: "questions" }),
  signOff: page({
    at: ["/staff/signoff"],
    load: () => import("./signoff/SignOffPage.svelte"),
    rail: {
      title: "signOff",
      offeredTo: "managers",
      icon: "M10 3a4.500 4.500 0 1 0 0 9a4.500 4.500 0 1 0 0-9M7 11.500L6 17l4-2l4 2l-1-5.500M8.200 7.500l1.400 1.400l2.400-2.600",
    },
  }),
  signOffGrade: page<{ grade: number }>({
    at: ["/staff/signoff/:grade"],
    load: () => import("./signoff/SignOffGrade.svelte"),
    props: ({ grade = "" }) => given("grade", gradeOf(grade)),
    rail: "signOff",
  }),
  results: page<{ of?: ResultsOf }>({
    at: ["/staff/results"],
    load: () => import("./results/ResultsPage.svelte"),
    props: (_, query) => given("of", resultsAt(query)) ?? {},
    rail: { title: "results", offeredTo: "staff", icon: "M4 17V9M8.500 17V4M13 17v-6M17 17H3" },
  }),
  calendar: page({
    at: ["/staff/calendar"],
    load: () => import("./calendar/CalendarPage.svelte"),
    rail: { title: "calendar", offeredTo: "staff", icon: "M3 5h14v12H3zM3 9h14M7 3v4M13 3v4M6.500 12.500h2M11.500 12.500h2" },
  }),
  event: page<{ id?: number }>({
    at: ["/staff/calendar/new", "/staff/calendar/:id"],
    load: () => import("./calendar/EventPage.svelte"),
    props: ({ id }) => (id === undefined ? {} : given("id", /^[1-9]\d{0,14}$/.test(id) ? Number(id) : undefined)),
    rail: "calendar",
    command: { title: "newEvent", offeredTo: "staff" },
  }),
  classes: page({
    at: ["/staff/classes"],
    load: () => import("./classes/ClassesPage.svelte"),
    rail: {
      title: "classes",
      offeredTo: "managers",
      icon: "M6 5a2 2 0 1 0 0 4a2 2 0 1 0 0-4M14 5a2 2 0 1 0 0 4a2 2 0 1 0 0-4M2.500 15.500c0-2.500 1.500-4 3.500-4s3.500 1.500 3.500 4M10.500 15.500c0-2.500 1.500-4 3.500-4s3.500 1.500 3.500 4",
    },
  }),
  schoolClass: page<{ id: string }>({
    at: ["/staff/classes/:id"],
    load: () => import("./classes/ClassPage.svelte"),
    props: ({ id = "" }) => ({ id }),
    rail: "classes",
  }),
  people: page({
    at: ["/staff/people"],
    load: () => import("./people/PeoplePage.svelte"),
    rail: {
      title: "people",
      offeredTo: "admins",
      icon: "M7.500 4.500a2.700 2.700 0 1 0 0 5.400a2.700 2.700 0 1 0 0-5.400M2.500 16.500c0-3 2.200-4.600 5-4.600s5 1.600 5 4.600M13 5a2.500 2.500 0 0 1 0 4.700M14.500 12.200c1.900.6 3 2.100 3 4.300",
    },
  }),
  addPeople: page({
    at: ["/staff/people/add"],
    load: () => import("./people/AddPeople.svelte"),
    rail: "people",
    command: { title: "addPeople", offeredTo: "admins" },
  }),
  accommodations: page({ at: ["/staff/people/accommodations"], load: () => import("./people/AccommodationsPage.svelte"), rail: "people" }),
  school: page({
    at: ["/staff/school"],
    load: () => import("./school/SchoolPage.svelte"),
    rail: { title: "school", offeredTo: "admins", icon: "M10 3v3M10 3h4v2h-4M4 17V9l6-3 6 3v8zM8.500 17v-4h3v4" },
  }),
  platforms: page({ at: ["/staff/school/platforms"], load: () => import("./platforms/PlatformsPage.svelte"), rail: "school" }),
  newPlatform: page({ at: ["/staff/school/platforms/new"], load: () => import("./platforms/NewPlatform.svelte"), rail: "school" }),
  platform: page<{ id: string }>({
    at: ["/staff/school/platforms/:id"],
    load: () => import("./platforms/PlatformPage.svelte"),
    props: ({ id = "" }) => ({ id }),
    rail: "school",
  }),
  audit: page({ at: ["/staff/school/audit"], load: () => import("./school/AuditPage.svelte"), rail: "school" }),
  ownSignIns: page({
    at: ["/staff/sign-ins"],
    load: () => import("./OwnSignIns.svelte"),
    command: { title: "ownSignIns", offeredTo: "everybody" },
  }),
  screen: page<{ sittingId: string }>({
    at: ["/sittings/:sittingId/screen"],
    load: () => import("./screen/ScreenPage.svelte"),
    props: ({ sittingId = "" }) => ({ sittingId }),
  }),
  signedIn: page({ at: ["/staff/signed-in"] }),
};

export type PageName = keyof typeof PAGES;
type Shown<Name extends PageName> = { page: Name } & ((typeof PAGES)[Name] extends Row<infer Props> ? Props : never);
/** The page of an address, with what it is shown with. */
export type StaffRoute = { [Name in PageName]: Shown<Name> }[PageName] | { page: "unknown" };

/** The rows with what the table says of each, for those who go through all. */
export const ROWS = Object.entries(PAGES) as [PageName, PageRow][];

function given<Name extends string, Value>(name: Name, value: Value | undefined): Record<Name, Value> | undefined {
  return value === undefined ? undefined : ({ [name]: value } as Record<Name, Value>);
}

/** The desk that is needed now; there is none while nothing runs. */
function deskNow(agenda: AgendaEntry[]): string | undefined {
  const desk = current(agenda.filter(({ state }) => state === "running" || state === "open"));
  return desk && deskAt(desk);
}
