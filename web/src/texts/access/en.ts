// Who may sit a template, and when, as the page before its start says it in English. Separate from the other texts so that a test
// that everyone may sit does not load it.

const plural = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

const en = {
  rules: "Who may sit it",
  signedIn: "For everyone who is signed in.",
  classes: "For the classes that your teacher has chosen.",
  opens: (at: string) => `Opens: ${at}`,
  closes: (at: string) => `Closes: ${at}`,
  attempts: (all: number) => `You can sit it ${all === 1 ? "once" : all === 2 ? "twice" : `${all} times`}.`,
  attemptsLeft: (left: number, all: number) => `You can sit it ${left === 1 ? "once more" : `${left} more times`}, of ${all} in all.`,
  timeLeft: (minutes: number) => `If you begin now, you have ${minutes < 1 ? "less than a minute" : plural(minutes, "minute", "minutes")}: it ends for everyone when it closes.`,
  staff: "You are staff of this test, so you may try it at any time. Your tries do not count.",
  signInFirst: "Sign in to sit this test. You come back to this page.",
  notYours: (account: string) =>
    `This test is for certain classes, and the account ${account} is in none of them. If you have another account, press “Not you?” and sign in with that one. If not, ask your teacher to add you to your class.`,
  early: "This test has not opened yet. Leave this page open: the button to start appears by itself.",
  opensIn: (time: string) => `Opens in ${time}`,
  closed: "This test is closed, so nobody can begin it any more. If you have missed it, ask your teacher.",
  noneLeft: "You have used all your attempts at this test. If you need another one, ask your teacher.",
  code: "Code for this test",
  codeHint: "Your teacher tells you the code. Capital and small letters are the same.",
  codeMissing: "This test needs a code. Type the one that your teacher tells you.",
  codeWrong: "This code is wrong. Look at it again, or ask your teacher.",
  codeUnread: "So many codes are tried just now that yours was not looked at. Check it, wait a few seconds, and press the button again.",
};

export default en;
export type AccessTexts = typeof en;
