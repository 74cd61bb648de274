// In which formats the server writes questions, and where the files are.

export const EXPORT_FORMATS = ["xlsx", "moodle-xml", "gift", "qti3"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Where the file of a grade, or of `all`, is. */
export function exportAddress(grade: string, format: ExportFormat): string {
  return format === "xlsx" ? `/api/admin/export?grade=${grade}` : `/api/admin/export?grade=${grade}&format=${format}`;
}
