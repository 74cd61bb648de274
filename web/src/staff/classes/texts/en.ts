// Everything on the pages of classes, in English: the catalogue that the other is measured by.

const number = (count: number) => count.toLocaleString("en");
const plural = (count: number, one: string, many: string) => `${number(count)} ${count === 1 ? one : many}`;
const people = (count: number) => plural(count, "person", "people");

const en = {
  title: "Classes",
  lead: "Lists of people that a sitting takes over at once.",
  managersOnly: "Classes are kept by managers of the grade and by administrators.",
  newClass: "New class",
  find: "Find",
  findHint: "Name of the class",
  grade: "Grade",
  gradeOf: (grade: number) => `Grade ${grade}`,
  anyGrade: "All grades",
  shown: (count: number, all: number) => (count === all ? plural(all, "class", "classes") : `${number(count)} of ${plural(all, "class", "classes")}`),
  clearFilters: "Clear the filters",
  none: "There is no class yet.",
  noneFound: "No class fits these filters.",
  loading: "One moment…",
  tryAgain: "Try again",
  name: "Name",
  nameHint: "Such as “5A”. Another class of the grade can’t have the same name.",
  nameMissing: "Give it a name.",
  exists: "The grade has a class of this name already.",
  inTemplates: (names: string[]) => `These templates are for this class: ${names.join(", ")}. Choose somebody else there first, or wait until they have closed.`,
  people,
  peopleTitle: "People",
  changedAt: "Changed",
  createdBy: "Made by",
  create: "Make the class",
  created: (name: string) => `${name} is made.`,
  edit: "Rename…",
  editTitle: "Name and grade",
  save: "Save",
  cancel: "Cancel",
  renamed: (name: string) => `${name} is changed.`,
  changedMeanwhile: (name: string, grade: number) =>
    `Somebody else has changed this class meanwhile: it is ${name} of grade ${grade} now. Your entries are kept. Save again to set them.`,
  remove: "Delete…",
  removeTitle: (name: string) => `Delete ${name}?`,
  removeLead: (count: number) => `The class and its list of ${people(count)} are removed for good.`,
  removeKeeps: "Sittings keep their candidates, and nobody loses an account or a result.",
  removeSure: "Delete the class",
  removed: (name: string) => `${name} is deleted.`,
  missing: "There is no class at this address.",
  toList: "All classes",
  importPeople: "Import people",
  changeList: "Change the list",
  account: "Account",
  needs: "Needs",
  findPeople: "Find people",
  noPeople: "Nobody is in this class yet.",
  noPeopleFound: "Nobody fits this search.",
  /** The words of the import that differ from those of other lists. */
  list: {
    title: "People of the class",
    lead: "Paste the list from a spreadsheet with its headings, or choose files (csv, xlsx, ods, or the users.csv and enrollments.csv of OneRoster). It takes the place of the one before.",
    pasteLabel: "People, pasted from a spreadsheet",
    placeholder: "email\tname",
    all: (count: number) => `Import ${people(count)}`,
    good: (count: number, left: number) => `Import ${people(count)}, leave out ${plural(left, "row", "rows")}`,
    removing: (count: number, removed: number) => (count === 0 ? `Remove ${people(removed)}` : `Import ${people(count)}, remove ${number(removed)}`),
    removeTitle: (count: number) => `Remove ${people(count)}`,
    removes: (count: number) => `The list takes the place of the whole class, and ${plural(count, "person is", "people are")} not on it.`,
    removeLead: (count: number) => `${people(count)} will no longer be in this class. Sittings that have them already keep them.`,
    done: (added: number, updated: number, removed: number) => `The list is imported: ${number(added)} added, ${number(updated)} updated, ${number(removed)} removed.`,
    changed: "Somebody has changed this class meanwhile. What the list would do was checked again: look at it, and import once more.",
  },
};

export default en;
export type ClassTexts = typeof en;
