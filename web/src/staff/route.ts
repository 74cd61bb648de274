// Reads the addresses of the staff pages: which page each one is, and what it shows.

/** What a desk watches: a sitting, or one of its rooms; or the exams of a grade or of a template. */
export type Hall = { kind: "sitting"; sittingId: string; room?: string } | { kind: "grade"; grade: number } | { kind: "template"; templateId: string };
/** Of what results are shown. */
export type ResultsOf = { kind: "sitting"; sittingId: string } | { kind: "template"; templateId: string } | { kind: "grade"; grade: number };

export type StaffRoute =
  | { page: "today" | "sittings" | "newSitting" | "signedIn" | "unknown" }
  | { page: "sitting"; id: string }
  | { page: "desk"; hall: Hall }
  | { page: "templates" | "newTemplate" | "questions" | "importQuestions" | "signOff" | "calendar" }
  | { page: "template"; id: string }
  | { page: "signOffGrade"; grade: number }
  | { page: "results"; of?: ResultsOf }
  | { page: "event"; id?: number }
  | { page: "people" | "addPeople" | "accommodations" | "school" | "audit" }
  | { page: "screen"; sittingId: string };

const GRADES = 10;

export function routeOf(address: URL): StaffRoute {
  const [first = "", second = "", third = "", ...more] = address.pathname
    .split("/")
    .filter((part) => part !== "")
    .map(decoded);
  const query = address.searchParams;
  if (first === "sittings" && third === "screen" && more.length === 0) return { page: "screen", sittingId: second };
  if (first !== "staff" || more.length > 1) return { page: "unknown" };
  if (second === "") return { page: "today" };
  if (second === "sittings") return sittingsAt(third, more[0] ?? "", query);
  if (second === "templates" && more.length === 0) return templatesAt(third);
  if (second === "questions") return questionsAt(third, more.length);
  if (second === "signoff" && more.length === 0) return signOffAt(third);
  if (second === "people") return peopleAt(third, more.length > 0);
  if (second === "calendar" && more.length === 0) return calendarAt(third);
  if (second === "school" && third === "audit" && more.length === 0) return { page: "audit" };
  if (third !== "") return { page: "unknown" };
  if (second === "signed-in") return { page: "signedIn" };
  if (second === "school") return { page: "school" };
  if (second === "desk") return deskAt(query);
  if (second === "results") return resultsAt(query);
  return { page: "unknown" };
}

/** What can't be decoded names nothing. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function sittingsAt(id: string, part: string, query: URLSearchParams): StaffRoute {
  if (id === "") return { page: "sittings" };
  if (part === "desk") return { page: "desk", hall: { kind: "sitting", sittingId: id, ...roomIn(query) } };
  if (part !== "") return { page: "unknown" };
  return id === "new" ? { page: "newSitting" } : { page: "sitting", id };
}

function templatesAt(id: string): StaffRoute {
  if (id === "") return { page: "templates" };
  return id === "new" ? { page: "newTemplate" } : { page: "template", id };
}

function questionsAt(part: string, more: number): StaffRoute {
  if (part === "") return { page: "questions" };
  return part === "import" && more === 0 ? { page: "importQuestions" } : { page: "unknown" };
}

function roomIn(query: URLSearchParams): { room?: string } {
  const room = query.get("room") ?? "";
  return room === "" ? {} : { room };
}

function deskAt(query: URLSearchParams): StaffRoute {
  const grade = gradeIn(query);
  if (grade !== undefined) return { page: "desk", hall: { kind: "grade", grade } };
  const templateId = query.get("templateId") ?? "";
  return templateId === "" ? { page: "unknown" } : { page: "desk", hall: { kind: "template", templateId } };
}

function resultsAt(query: URLSearchParams): StaffRoute {
  const [sittingId, templateId, grade] = [query.get("sittingId") ?? "", query.get("templateId") ?? "", gradeIn(query)];
  if (sittingId !== "") return { page: "results", of: { kind: "sitting", sittingId } };
  if (templateId !== "") return { page: "results", of: { kind: "template", templateId } };
  return grade === undefined ? { page: "results" } : { page: "results", of: { kind: "grade", grade } };
}

function signOffAt(text: string): StaffRoute {
  const grade = gradeOf(text);
  if (text === "") return { page: "signOff" };
  return grade === undefined ? { page: "unknown" } : { page: "signOffGrade", grade };
}

function calendarAt(event: string): StaffRoute {
  if (event === "") return { page: "calendar" };
  if (event === "new") return { page: "event" };
  return /^[1-9]\d{0,14}$/.test(event) ? { page: "event", id: Number(event) } : { page: "unknown" };
}

function peopleAt(part: string, hasMore: boolean): StaffRoute {
  if (hasMore) return { page: "unknown" };
  if (part === "") return { page: "people" };
  if (part === "add") return { page: "addPeople" };
  return { page: part === "accommodations" ? "accommodations" : "unknown" };
}

function gradeIn(query: URLSearchParams): number | undefined {
  return gradeOf(query.get("grade") ?? "");
}

function gradeOf(text: string): number | undefined {
  const grade = Number(text);
  return /^[1-9]\d?$/.test(text) && grade <= GRADES ? grade : undefined;
}

/** The address of a hall's desk. */
export function deskOf(hall: Hall): string {
  if (hall.kind === "grade") return `/staff/desk?grade=${hall.grade}`;
  if (hall.kind === "template") return `/staff/desk?${new URLSearchParams({ templateId: hall.templateId })}`;
  const desk = `/staff/sittings/${encodeURIComponent(hall.sittingId)}/desk`;
  return hall.room === undefined ? desk : `${desk}?${new URLSearchParams({ room: hall.room })}`;
}

/** Whether the staff pages show this address. The projector's page has no frame and is a document of its own. */
export function isStaffs(address: URL): boolean {
  return address.pathname === "/staff" || address.pathname.startsWith("/staff/");
}
