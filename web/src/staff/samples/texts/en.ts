// Everything on the language of the sample questions, in English: the catalogue that the other is measured by.

const number = (count: number) => count.toLocaleString("en");

const en = {
  title: "The language of the sample questions",
  names: { en: "English", vi: "Vietnamese" },
  standing: (count: number, there: string, wanted: string) =>
    `${number(count)} sample ${count === 1 ? "question is" : "questions are"} in ${there}, and the first language of your school is ${wanted}.`,
  hints: {
    en: "In English, prices are in dollars. Questions that your school has changed or retired stay as they are, and so does every test that was sat.",
    vi: "In Vietnamese, prices are in đồng. Questions that your school has changed or retired stay as they are, and so does every test that was sat.",
  },
  put: (wanted: string) => `Put them into ${wanted}`,
  busy: "One moment…",
  done: (count: number, wanted: string) => `${number(count)} sample ${count === 1 ? "question is" : "questions are"} in ${wanted} now.`,
  left: (count: number) =>
    count === 1 ? "One that your school has changed or retired is as it was." : `${number(count)} that your school has changed or retired are as they were.`,
};

export default en;
export type SampleTexts = typeof en;
