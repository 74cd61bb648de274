// In which formats the server writes questions, and what the files are called.

export const EXPORT_FORMATS = ["xlsx", "moodle-xml", "gift", "qti3"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

const ENDINGS: Record<ExportFormat, string> = { xlsx: "xlsx", "moodle-xml": "xml", gift: "gift.txt", qti3: "zip" };

/** Where the file of a grade, or of `all`, is. */
export function exportAddress(grade: string, format: ExportFormat): string {
  return format === "xlsx" ? `/api/admin/export?grade=${grade}` : `/api/admin/export?grade=${grade}&format=${format}`;
}

export function exportName(grade: string, format: ExportFormat): string {
  return `questions-grade${grade}.${ENDINGS[format]}`;
}
