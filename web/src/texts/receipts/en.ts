// What a student is told of their receipts at the end of a test, in English.

const en = {
  lead: "The server has signed what it has stored of your test. With this receipt you can prove later what you handed in.",
  verify: "Check a receipt",
  save: "Save your receipt",
  saved: "The receipt is in your downloads.",
  savedInterim: "The last receipt from during the test is in your downloads. The final one could not be loaded; press the button again later.",
};

export default en;
export type ReceiptTexts = typeof en;
