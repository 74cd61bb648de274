// What the page of imports says of files of other systems, in English.

const plural = (count: number, one: string, many: string) => `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
const questions = (count: number) => plural(count, "question", "questions");

const en = {
  /** In place of the same texts about rows of a spreadsheet. */
  ofItems: {
    wouldLeaveOut: (count: number) => `${questions(count)} can’t be imported.`,
    leftOut: (count: number) => `${plural(count, "question was", "questions were")} left out.`,
    importGood: (count: number, bad: number) => `Import ${questions(count)} without the other ${bad.toLocaleString("en")}`,
    nothingToImport: "No question of the file can be imported.",
    faultCount: (count: string) => `Questions that can’t be imported: ${count}`,
    faultLead: "Mend them where the file comes from, and choose it again. The other questions can be imported before.",
  },
};

export default en;
export type ImportTexts = typeof en;
