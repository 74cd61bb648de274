// What the bar says that is on every page during an outage, in English: the catalogue that the other is measured by.

const en = {
  label: "Message from the school",
  from: "Notice:",
  close: "Close",
  readOnly: {
    students: "The exam server is under maintenance. You can read here, but nothing can be sent in or saved at the moment. What you have done in a test is kept on this device, and is sent when the maintenance is over.",
    staff: "The exam server is under maintenance. What is here can be read, and nothing can be changed or saved until it is over. Results, keys and files that would be on record can’t be shown meanwhile.",
  },
};

export default en;
export type StatusTexts = typeof en;
