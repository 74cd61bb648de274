// What the pages of sittings say of the forms of a paper, in English: the catalogue that the other is measured by.

const candidates = (count: number) => `${count.toLocaleString("en")} ${count === 1 ? "candidate" : "candidates"}`;

const en = {
  form: "Form",
  forms: "Forms",
  formsHint: "by seats: neighbours have different ones where a seat is its row, then its number, such as B4",
  formCount: (letter: string, count: number) => `${letter}: ${count.toLocaleString("en")}`,
  formKeys: "Keys of all forms",
  formSources: { seat: "by the seat", chance: "by chance, since no seat number says it", entered: "fixed since they entered" },

  slipsForms: "Each slip names the form of its seat. Give everybody a seat first: another seat is another form, and needs another slip.",
  slipsChance: (count: number) => `${candidates(count)} without a seat number: chance gives the form, and neighbours could get the same one.`,

  lackForms: (count: number) => `${candidates(count)} without a seat number: neighbours could get the same form.`,
  lackRows: "Seats are single numbers: those in front and behind could get the same form. Write row and seat, such as B4.",
  lackSeats: (count: number) => `${candidates(count)} share a seat with somebody in their room, and get the same form.`,
};

export default en;
export type FormsTexts = typeof en;
