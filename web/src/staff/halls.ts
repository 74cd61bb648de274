// What a desk watches and what results are of, and the addresses in which they stand. Separate from the table of pages, which
// links need not know.

/** What a desk watches: a sitting, or one of its rooms; or the exams of a grade or of a template. */
export type Hall = { kind: "sitting"; sittingId: string; room?: string } | { kind: "grade"; grade: number } | { kind: "template"; templateId: string };
/** Of what results are shown. */
export type ResultsOf = { kind: "sitting"; sittingId: string } | { kind: "template"; templateId: string } | { kind: "grade"; grade: number };

const GRADES = 10;

/** The hall of an address: the sitting is in the path, everything else in the query. */
export function hallAt(sittingId: string | undefined, query: URLSearchParams): Hall | undefined {
  const [grade, templateId, room] = [gradeOf(query.get("grade") ?? ""), query.get("templateId") ?? "", query.get("room") ?? ""];
  if (sittingId !== undefined) return { kind: "sitting", sittingId, ...(room === "" ? {} : { room }) };
  if (grade !== undefined) return { kind: "grade", grade };
  return templateId === "" ? undefined : { kind: "template", templateId };
}

export function resultsAt(query: URLSearchParams): ResultsOf | undefined {
  const [sittingId, templateId, grade] = [query.get("sittingId") ?? "", query.get("templateId") ?? "", gradeOf(query.get("grade") ?? "")];
  if (sittingId !== "") return { kind: "sitting", sittingId };
  if (templateId !== "") return { kind: "template", templateId };
  return grade === undefined ? undefined : { kind: "grade", grade };
}

export function gradeOf(text: string): number | undefined {
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
