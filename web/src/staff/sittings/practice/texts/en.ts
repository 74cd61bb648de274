// What a sitting says of a paper that candidates may know already, in English: the catalogue that the others are measured by.

const plural = (count: number, one: string, many: string) => `${count.toLocaleString("en")} ${count === 1 ? one : many}`;

const en = {
  lackPractice: (count: number) => `${plural(count, "question of the paper is", "questions of the paper are")} for practice: anyone may have read ${count === 1 ? "it" : "them"} with ${count === 1 ? "its answer" : "their answers"}.`,
  lackSatBefore: (count: number) => `${plural(count, "candidate has", "candidates have")} already sat this paper by its link, and may have seen the answers: choose or draw another paper.`,
  toTemplate: "Keep them for exams",
};

export default en;
export type PracticeTexts = typeof en;
