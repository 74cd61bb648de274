// Who may sit a template, and when its answers are shown, in English: the catalogue that the others are measured by.

const number = (count: number) => count.toLocaleString("en");
const plural = (count: number, one: string, many: string) => `${number(count)} ${count === 1 ? one : many}`;
const questions = (count: number) => plural(count, "question", "questions");

const en = {
  legend: "Who may sit it",
  who: { anyone: "Anyone who has the link", "signed-in": "Everyone who is signed in", classes: "The people of some classes" },
  whoHints: {
    anyone: "Nobody knows who they are, so that attempts can’t be counted.",
    "signed-in": "With any account of the school. Each student sits it in their own name.",
    classes: "They sign in, and are known by the e-mail addresses in the lists of their classes.",
  },
  loadingClasses: "Loading the classes…",
  classesFailed: "The classes could not be loaded. Load the page again.",
  noClasses: "The school has no classes yet.",
  toClasses: "To the classes",
  findClasses: "Find classes",
  whichClasses: "Which classes",
  classFacts: (grade: number, people: number) => `grade ${grade} · ${plural(people, "person", "people")}`,
  noneFound: "No class has such a name.",
  moreClasses: (count: number) => `${number(count)} more: find them by their names.`,
  goneClasses: (count: number) => `${plural(count, "chosen class is", "chosen classes are")} not there any more, and the template can’t be saved with ${count === 1 ? "it" : "them"}.`,
  dropGone: "Take out what is gone",
  attempts: "Attempts",
  attemptsHint: "1 to 20 for each account. If this is empty, they sit it as often as they like. A test that is begun goes on, on whatever device, and is not counted twice.",
  opens: "Opens",
  closes: "Closes",
  windowHint: (zone: string) => `By the clocks here (${zone}). A test that is under way ends when it closes. If a field is empty, it opens at once, or never closes.`,
  code: "Code",
  makeCode: "Make one",
  codeHint: "4 to 20 letters and digits; capital and small letters are the same. Tell it in the room, so that nobody begins elsewhere. If this is empty, no code is asked for.",
  answers: "Students see which answers were right",
  answersShown: { always: "as soon as they have handed in", "after-closing": "when it has closed", never: "never" },
  answersHint: "Before that, their report has the score, but neither keys nor explanations. Whoever hands in first can tell the others what is shown at once.",
  answersNeedEnd: "Set a time at which it closes, or choose another moment.",
  practice: "Its questions",
  practiceKinds: { no: "No practice: others see no answers to them", yes: "Practice: anyone may read them with their answers", unsaid: "As the server is set: nobody has chosen" },
  keptFromOthers: {
    "until-closed": "Until it has closed, practice and other tests with one of its questions show no answers.",
    always: "For as long as this template stands, practice and other tests with one of its questions show no answers. Set a time at which it closes, and show answers then at the latest, so that this ends.",
  },
  faults: {
    classes: { none: "Choose at least one class.", many: "A template is for 50 classes at most." },
    attempts: { range: "A whole number from 1 to 20, or nothing." },
    window: { time: "Type a day and a time.", order: "It has to close after it opens." },
    code: { form: "4 to 20 letters from A to Z and digits, without spaces." },
  },

  /** The sentence that sums everything up. */
  said: {
    anyone: (_classes: number): string => "Anyone who has the link can sit it",
    "signed-in": (_classes: number): string => "Everyone who is signed in can sit it",
    classes: (classes: number): string => `The people of ${plural(classes, "class", "classes")} can sit it`,
  },
  saidAlways: "as often as they like",
  saidTimes: (count: number) => (count === 1 ? "once" : count === 2 ? "twice" : `${number(count)} times`),
  saidFrom: (from: string) => `from ${from} on`,
  saidUntil: (until: string) => `until ${until}`,
  saidBetween: (from: string, until: string) => `from ${from} until ${until}`,
  saidCode: "with a code",
  saidAnswers: { always: "answers are shown as soon as a test is handed in", "after-closing": "answers are shown when it has closed", never: "answers are never shown" },
  saidAnd: ", and ",
  saidPractice: "anyone may read its questions with their answers",
  keptFor: (start: string) => `(${start}) keeps this paper: the link is closed until its results are released.`,
  afterwards: (sentence: string) => `Once the link is open again: ${sentence}`,
  begunByLink: (count: number) => `${plural(count, "test has", "tests have")} been begun by the link. Whoever has sat it knows this paper.`,

  keepTitle: "Questions of this template",
  keepLead: (count: number) => `${questions(count)}. Questions that are kept for exams are in no practice and in no public bank.`,
  openQuestions: (count: number) => `${questions(count)} of it ${count === 1 ? "is" : "are"} practice: anyone may read ${count === 1 ? "it with its answer" : "them with their answers"}, whatever this template says.`,
  keepAll: "Keep all its questions for exams",
  keepSureTitle: (count: number) => `Keep ${questions(count)} for exams?`,
  keepSureLead: "Students can’t practise with them any more, and no link shows them before a test begins. You can give them back in the list of questions: select them there, or open a single one.",
  kept: (count: number) => `${questions(count)} ${count === 1 ? "is" : "are"} kept for exams.`,
};

export default en;
export type RulesTexts = typeof en;
