// What is said of a test that is over: the facts of its end, a report in sentences, and the sheet for parents, in English. Separate from the other texts so that a test does not
// load it.

const plural = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;
const wereRight = (correct: number, total: number) => (correct === total ? `all ${total} right` : `${correct} of ${total} right`);

const en = {
  inShort: "In short",
  /** Who is spoken of at the beginning of a sentence, and inside one. Empty in the student's own report. */
  you: "You",
  youInside: "you",
  child: "Your child",
  childInside: "your child",
  named: (name: string) => name,
  namedInside: (name: string) => name,
  reachedAll: (who: string, total: number) => `${who} answered ${total === 1 ? "the only question" : `all ${total} questions`} correctly.`,
  reachedSome: (who: string, correct: number, total: number, open: number) => `${who} answered ${correct} of ${total} questions correctly${open === 0 ? "" : ` and left ${open} open`}.`,
  reachedNone: (answered: number) => (answered === 1 ? "One question was answered, and it was not right this time." : `${answered} questions were answered, and none was right this time.`),
  reachedNothing: (who: string, total: number) => `${who} left ${total === 1 ? "the only question" : `all ${total} questions`} open.`,
  wellTopic: (topic: string, correct: number, total: number) => `What went well: ${topic}, with ${wereRight(correct, total)}.`,
  wellDifficulty: (level: string, correct: number, total: number) => `What went well: the questions of the level “${level}”, with ${wereRight(correct, total)}.`,
  wellSolved: (who: string, correct: number, topics: string) => `What went well: ${who} solved ${plural(correct, "question", "questions")}${topics === "" ? "" : `, on ${topics}`}.`,
  wellTried: (who: string, answered: number) => `What went well: ${who} tried ${plural(answered, "question", "questions")}, and each shows what to look at next.`,
  wellUntried: "Every question can still be tried now, without a clock.",
  practiseTopic: (topic: string, correct: number, total: number) =>
    correct === 0 ? `What to practise: ${topic}, where none of ${total} was right yet.` : `What to practise: ${topic}, where ${correct} of ${total} ${correct === 1 ? "was" : "were"} right.`,
  isHint: "With so few questions this is no more than a hint.",
  practiseWrong: (count: number) => (count === 1 ? "What to practise: look once more at the question that has no right answer yet." : `What to practise: look once more at the ${count} questions that have no right answer yet.`),
  practiseNothing: "Nothing of this test is left to practise: a harder one may be next.",
  endAnswered: (answered: number, total: number | null) => (total === null ? `${plural(answered, "question has", "questions have")} an answer.` : `You answered ${answered} of ${plural(total, "question", "questions")}.`),
  endStored: (time: string) => `Stored on the server at ${time}.`,
  endEnded: (time: string) => `Ended: ${time}. Stored on the server.`,
  endBy: { student: "It ended when you handed it in.", deadline: "It ended because the time was over.", proctor: "It ended because your teacher stopped it." },
  endNext: { loading: "Your report is on its way.", loaded: "Your report is below.", held: "Next, your teacher releases the results. You can close this page and come back to it later." },
  forParents: "Sheet for parents",
  parents: "For the parents",
  sheets: "Sheets for parents",
  sheetsNone: "Nobody has handed in yet.",
  sheetsCome: (come: number, total: number) => `${come} of ${plural(total, "sheet", "sheets")}`,
  sheetsReady: (total: number) => (total === 1 ? "The sheet is here. Print it, or save it as a PDF file." : `All ${total} sheets are here, by name. Print them, or save them as one PDF file.`),
  sheetsMissing: (names: string) => `These could not be loaded: ${names}.`,
  sheetsGoOn: (names: string) => `These tests were reopened and go on, so there are no sheets yet: ${names}.`,
  sheetsPrint: (count: number) => `Print ${plural(count, "sheet", "sheets")}`,
  sheetsOneSide: "Print on one side of the paper: each sheet has the link to one child’s report.",
  sheetsNotYours: "These sheets are for those who manage the exam.",
  parentsOf: (name: string) => `For the parents of ${name}`,
  student: "Student",
  test: "Test",
  moreTopics: (count: number) => `The report has ${plural(count, "more topic", "more topics")}.`,
  scoreMeans: "What the score means",
  scoreScale: "The score goes from 200 to 800. It is 200 if no answer was right, and 800 if all were; hard questions count more than easy ones.",
  scoreLimits: "It describes this one test on this day. It is no school mark, and no comparison with other children.",
  goOn: "How to go on",
  goOnPractise: (topic: string) => `A little of ${topic} on several days of the week helps more than a lot of it on one day.`,
  goOnGeneral: "A few tasks on several days of the week help more than many on one day.",
  goOnExplain: "Let your child explain one question that went well and one that did not. Ask how the answer was found before you say whether it is right.",
  goOnReport: "All questions are in the report, as they were asked:",
  toReport: "Back to the report",
  /** `until` is empty where somebody decides on the moment. */
  withheld: (count: number, until: string) =>
    `This report is not whole yet: another class is still to write ${count === 1 ? "one" : count} of these questions. It shows ${count === 1 ? "its text" : "their texts"} ${until === "" ? "as soon as the results of that class are released" : `on ${until}, or soon after`}. Until then it does not say which answers were right.`,
  answersLater: (until: string) => `Which answers were right, the keys and the explanations are shown from ${until} on, when this test is closed for everyone. They appear here by themselves.`,
  answersNever: "This test does not show which answers were right. If you want to go through it, ask your teacher.",
  changed: (reason: string, before: number) => `This result was changed${reason}. The score was ${before} before.`,
  changedSame: (reason: string, score: number) => `This result was changed${reason}. The score is ${score}, as before.`,
  /** Empty where nobody knows why. */
  changedBecause: {
    submitted: "",
    late_work: ", because work that came after the deadline was accepted",
    reopened: ", because the test went on after its end",
    key_corrected: ", because the key of a question was corrected",
    reverted: ", because an earlier change was taken back",
  },
  testGoesOn: "This test goes on",
  testGoesOnLead: "It was reopened after its end. The report comes when it has ended again.",
  testGoesOnHere: "Go on with the test",
  wasReopened: "This test was reopened and goes on. This is what was handed in before; students do not see it meanwhile.",
  corrected: {
    key: "The key of this question was corrected after the test.",
    also: "After the test it was found that more than one answer to this question is right. Each of them counts.",
    all: "This question was not right as it was asked. Everyone gets its points.",
    drop: "This question was not right as it was asked. It does not count, neither for you nor against you.",
  },
  doesNotCount: "Does not count",
  /** Behind the letter that the student saw. */
  inMaster: (letter: string) => `${letter} in the master copy`,
  textLater: "The text of this question is not shown yet.",
  textChanged: "The question as it was asked. It has been changed since.",
  textRemoved: "The question as it was asked. It is no longer in use.",
  textReplaced: "This question was changed after the test, and what was asked was not kept. Here is its text of today.",
};

export default en;
export type ReportTexts = typeof en;
