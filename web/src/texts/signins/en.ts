// The list of sign-ins in English: the catalogue that the other is measured by. Students, staff and administrators see it.

const en = {
  title: "Your sign-ins",
  lead: "Each line is a browser in which you are signed in. End those that you do not know or do not need any more. A sign-in ends by itself after twelve hours.",
  leadOther: "Each line is a browser in which this person is signed in.",
  guest: "You are not signed in.",
  signIn: "Sign in",
  loading: "One moment…",
  none: "There are none.",
  on: (browser: string, system: string) => `${browser} on ${system}`,
  unknown: "A browser without a name",
  here: "this one",
  since: (time: string) => `Signed in ${time}`,
  used: (time: string) => `Last used ${time}, or up to ten minutes later`,
  end: "End",
  endOf: (name: string) => `End the sign-in with ${name}`,
  endOthers: "End all others",
  ended: "The sign-in has ended. Open pages there notice it within seconds.",
  othersEnded: "All others have ended. Open pages there notice it within seconds.",
  failed: "The list can’t be loaded. Check the network and try again.",
  notEnded: "This was not done. Check the network and try again.",
  again: "Try again",
};

export default en;
export type SignInTexts = typeof en;
