// How long the texts of a question may be: as much as a cell of a workbook holds, in which all of them come and go.

export const QUESTION_TEXT_MAX = 32_767;
