// Everything on the pages of people, in English: the catalogue that the other is measured by.

import type { FaultKind } from "../list";
import type { Duty, Role } from "../person";

const number = (count: number) => count.toLocaleString("en");
const plural = (count: number, one: string, many: string) => `${number(count)} ${count === 1 ? one : many}`;
const people = (count: number) => plural(count, "person", "people");
const have = (count: number) => `${people(count)} ${count === 1 ? "has" : "have"}`;
const addOrChange = (added: number, changed: number) =>
  [...(added > 0 ? [`add ${people(added)}`] : []), ...(added > 0 && changed === 0 ? [] : [`change ${people(changed)}`])].join(" and ");
const upper = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
const rows = (count: number) => plural(count, "row", "rows");
const some = (names: string[]) => (names.length <= 3 ? names.join(", ") : `${names.slice(0, 3).join(", ")} and ${number(names.length - 3)} more`);

const roles: Record<Role, string> = { admin: "Administrator", manager: "Manager", reviewer: "Reviewer", student: "Student" };
const counted: Record<Role, (count: number) => string> = {
  admin: (count) => plural(count, "administrator", "administrators"),
  manager: (count) => plural(count, "manager", "managers"),
  reviewer: (count) => plural(count, "reviewer", "reviewers"),
  student: (count) => plural(count, "student", "students"),
};
const roleHints: Record<Role, string> = {
  admin: "Sets the school up: may do everything, for all grades.",
  manager: "A teacher: plans exams, sees results, writes, reviews and signs off questions, in their grades.",
  reviewer: "A colleague who helps: reviews and edits questions and watches exams, in their grades.",
  student: "Sits tests. Whoever signs in is a student until you say otherwise.",
};
const dutyOf: Record<Duty, string> = { reviewer: "Grades to review", manager: "Grades to sign off" };
const faults: Record<FaultKind, (row: number) => string> = {
  noEmail: () => "The e-mail address is missing.",
  badEmail: () => "This is no e-mail address.",
  twice: (row) => `Row ${row} has this address already.`,
  noName: () => "Grades need a name beside the address.",
  longName: () => "The name is longer than 200 letters.",
  noRole: () => "Say what they do: reviewer, manager, admin or student.",
  badRole: () => "The role is one of reviewer, manager (or teacher), admin and student. Proctors need none: name them for a room of a sitting.",
  badGrades: () => "Grades are numbers from 1 to 10, such as “1-3, 5”, or “all”.",
  noGrades: () => "Say for which grades.",
  uselessGrades: () => "Only reviewers and managers have grades. Leave them out here.",
  self: () => "This is you. Change your own role in your own row of the list.",
};

const en = {
  title: "People",
  adminsOnly: "Only administrators see and change who may do what.",
  loading: "One moment…",
  tryAgain: "Try again",
  signIns: "Sign-ins",
  cancel: "Cancel",
  save: "Save",
  you: "you",
  counted,
  find: "Find",
  findHint: "Name or e-mail",
  name: "Name",
  email: "E-mail",
  role: "Role",
  roles,
  roleHints,
  whichRole: "Which role for whom",
  proctorRole: "Proctor",
  proctorHint: "No role at all: whoever plans a sitting names its proctors for each room.",
  everybody: "Everybody",
  notYet: "Not signed in yet",
  lacking: (count: number) => `Role or grades missing (${number(count)})`,
  unused: "role missing",
  noGrades: "no grades",
  reviews: "Reviews",
  signsOff: "Signs off",
  createdAt: "Since",
  lastLogin: "Last sign-in",
  never: "Never",
  neverSignedIn: "Has never signed in",
  duty: "What the grade is for",
  dutyOf,
  gradeLabel: "Grade",
  grade: (grade: number) => `Grade ${grade}`,
  anyGrade: "Any",
  shown: (count: number, all: number) => (count === all ? people(all) : `${number(count)} of ${people(all)}`),
  clearFilters: "Clear the filters",
  noneFound: "Nobody fits these filters.",
  partial: "This server keeps its users elsewhere. The list has those who have signed in here; nobody can be deleted.",
  lastAdmin: "There must be at least one administrator. Make somebody else administrator first.",
  notThere: "There is no user with this address any more. Load the page again.",
  knownMeanwhile: "They have signed in meanwhile, or somebody else has given them a role. Look at them again, and repeat your change.",
  deceptive: "This address can’t have rights: it has letters that look like others.",
  leftOut: (emails: string[], reason: string) => `Not changed: ${some(emails)}. ${reason}`,

  newHint: "They have never signed in. What you give them here waits for them, and counts from their first sign-in.",
  invite: "Write an invitation",
  invitationSubject: (hall: string) => `${hall}: your access to the exams`,
  invitation: (name: string, hall: string, role: string, address: string, email: string) => [
    `Dear ${name},`,
    "",
    `${hall} holds its exams on this website. You have a role there: ${role}.`,
    "",
    address,
    "",
    `Please sign in with ${email}. Nothing else is needed.`,
  ],
  invitedHint: "Invited, has not signed in yet. The role and the grades count from the first sign-in.",
  noRole: "None yet",
  grantRole: "These grades count once there is a role for them.",
  adminGrades: "Administrators have all grades. These count again if the role changes.",
  lacksRole: "This role does not use all of these grades.",
  lacksGrades: "Without grades this role sees nothing yet.",
  choose: (role: string) => `Choose ${role}`,
  losesOwn: "You would no longer be an administrator, and could not take it back yourself.",
  saveOwn: "Take this right from myself",
  changedMeanwhile: "Somebody else has changed this person meanwhile. What you chose is still here: look at it, and save again.",
  personChanged: (name: string) => `${name} is changed.`,

  giveRole: (count: number) => (count === 0 ? "Give this role" : `Give ${people(count)} this role`),
  roleGiven: (count: number) => `${have(count)} another role.`,
  addGrade: (count: number) => (count === 0 ? "Add" : `Add for ${number(count)}`),
  takeGrade: (count: number) => (count === 0 ? "Take away" : `Take from ${number(count)}`),
  gradeGiven: (count: number) => `${have(count)} a grade more.`,
  gradeTaken: (count: number) => `${have(count)} a grade less.`,
  signOut: (count: number) => (count === 1 ? "End all sign-ins" : `End all sign-ins of ${people(count)}`),
  signOutTitle: (names: string[]) => (names.length === 1 ? `End all sign-ins of ${names[0]}?` : `End all sign-ins of ${people(names.length)}?`),
  signOutLead: "They are signed out in every browser within five seconds, and can sign in again. Tests that are under way go on. API tokens stay: revoke those on the page School.",
  signInsEnded: (count: number) => `The sign-ins of ${people(count)} are ended.`,
  deleteMany: (count: number) => (count === 1 ? "Delete" : `Delete ${people(count)}`),
  deleteTitle: (names: string[]) => (names.length === 1 ? `Delete ${names[0]}?` : `Delete ${people(names.length)}?`),
  deleteLead: "This can’t be undone.",
  deletes: "Deleted: the user with their role, their sign-ins, their API tokens, their grades, and their address in the calendar.",
  deleteKeeps: "Kept: tests and results, and what they reviewed, changed and signed off, with their name.",
  deleteReturns: "If they sign in again, they begin as a new student.",
  deleted: (count: number) => `${people(count)} deleted.`,
  alsoYou: "You are among them.",

  addPeople: "Add people",
  toPeople: "All people",
  addLead: "One person a line: e-mail, name, role, grades, as they come out of a spreadsheet or with commas between them. The role is reviewer, manager (“teacher” is read as manager), admin or student; reviewers and managers alone have grades. Who is known already is changed; the grades of a line replace those that they had.",
  addNoMail:
    "Nobody gets a mail from here. Tell people the address of this server: when they sign in there with the e-mail address of their line, their role and their grades wait for them. Students need not be listed: whoever signs in is a student until you say otherwise.",
  pasteLabel: "List of people",
  pastePlaceholder: "rita@school.example, Rita Nguyen, reviewer, 4-6\nmax@school.example, Max Tran, manager, 5",
  row: "Row",
  gradesLabel: "Grades",
  wouldDo: "Would do",
  outcome: "What has become of it",
  cell: (column: string, row: number) => `${column} of row ${row}`,
  faults,
  roleStep: (from: string, to: string) => `Role: ${from} → ${to}`,
  gradesStep: (duty: string, from: string, to: string) => `${duty}: ${from === "" ? "none" : from} → ${to === "" ? "none" : to}`,
  inviteStep: (role: string) => `Role from the first sign-in: ${role}`,
  nothingToDo: "Nothing: it is so already",
  wouldDoAll: (added: number, changed: number) => `This would ${addOrChange(added, changed)}. Nothing is done yet.`,
  staysAsIs: (count: number) => `${rows(count)} change nothing.`,
  openQuote: (row: number) => `Row ${row}: a quotation mark is opened and not closed.`,
  ignoredColumns: (headings: string) => `Columns that are not known and not read: ${headings}.`,
  faultCount: (count: number) => (count === 1 ? "1 row can’t be used as it is, and would be left out." : `${rows(count)} can’t be used as they are, and would be left out.`),
  waitingHint: (count: number) =>
    `${have(count)} never signed in. Their role and their grades count from their first sign-in; until then the filter “Not signed in yet” lists them.`,
  doIt: (added: number, changed: number) => upper(addOrChange(added, changed)),
  progress: (count: number, all: number) => `${number(count)} of ${people(all)} done`,
  failedCount: (count: number) => `${rows(count)} failed.`,
  leftAside: "Left out.",
  done: "Done",
  stop: "Stop",
  goOn: (count: number) => `Go on with ${number(count)}`,
  editList: "Edit the list",
  another: "Another list",
  peopleDone: (count: number) => `${people(count)} done.`,
  showMore: (count: number) => `Show ${number(count)} more`,

  accommodations: "Accommodations",
  accommodationsLead: "What people need in every exam.",
  addAccommodation: "Add somebody",
  findNeedsHint: "E-mail, mark or note",
  moreTime: "More time",
  flags: "Marks",
  note: "Note for proctors",
  validUntil: "Valid until",
  always: "Always",
  noAccommodations: "Nobody is in the register.",
};

export default en;
export type PeopleTexts = typeof en;
