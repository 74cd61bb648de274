import { expect, test } from "vitest";
import { accountOf, attemptOf, firstOf, keptIn, left, newest, NOBODYS, offeredView, seated, signedIn, signedOut, withKept, type KeptView } from "./keeping";
import { USUAL, type View } from "./settings";

const DARK: View = { ...USUAL, theme: "dark" };
const LARGE: View = { ...USUAL, size: 200 };
const [ADA, BO] = [accountOf("ada@school.example"), accountOf("bo@school.example")];

const kept = (of: string, view = DARK, at = 10): KeptView => ({ of, at, view });

test("the owner of an account is not its address, and differs by account", () => {
  expect(ADA).toMatch(/^account:[a-z0-9]+$/);
  expect(accountOf("Ada@School.example")).toBe(ADA);
  expect(BO).not.toBe(ADA);
});

test("only what was stored by these pages is read", () => {
  expect(keptIn(JSON.parse(JSON.stringify(kept(ADA))))).toEqual(kept(ADA));
  expect(keptIn({ of: "", at: 3, view: "dark", isOver: true })).toEqual({ of: "", at: 3, view: USUAL, isOver: true });
  for (const stored of [null, 1, [], {}, { of: 1, at: 1 }, { of: "", at: "1" }, { of: "", at: null }]) expect(keptIn(stored)).toBeUndefined();
});

test("a reload keeps the view of the tab", () => {
  const tab = kept(attemptOf("s1"));
  expect(firstOf(tab, [kept(ADA, LARGE)], false)).toBe(tab);
});

test("a new tab begins with the view of the last account, and with no other", () => {
  expect(firstOf(undefined, [kept(ADA), kept(attemptOf("s1"), LARGE)], false)).toEqual(kept(ADA));
  expect(firstOf(undefined, [kept(attemptOf("s1"), LARGE), kept(ADA)], false)).toBe(NOBODYS);
  expect(firstOf(undefined, [], false)).toBe(NOBODYS);
});

test("who changes the view and then begins a test keeps it", () => {
  const begun = seated(kept(""), attemptOf("s1"), []);
  expect(begun).toEqual(kept(attemptOf("s1")));
});

test("an attempt that goes on in a new tab gets its view back", () => {
  const device = withKept([], kept(attemptOf("s1")));
  expect(seated(NOBODYS, attemptOf("s1"), device)).toEqual(kept(attemptOf("s1")));
});

test("the next student at the same computer begins with the usual view, in the same tab and in a new one", () => {
  const over = left(kept(attemptOf("s1")));
  const device = withKept([], over);
  expect(firstOf(over, device, false)).toBe(NOBODYS);
  expect(firstOf(undefined, device, false)).toBe(NOBODYS);
  expect(seated(over, attemptOf("s2"), device)).toEqual({ of: attemptOf("s2"), at: 0, view: USUAL });
  expect(seated(NOBODYS, attemptOf("s2"), device).view).toBe(USUAL);
});

test("and may take the last view over, if there is one that is not an account's", () => {
  const device = withKept(withKept([], kept(attemptOf("s1"), LARGE)), kept(ADA));
  expect(offeredView(NOBODYS, device)).toEqual(LARGE);
  expect(offeredView(kept(attemptOf("s2")), device)).toBeUndefined();
  expect(offeredView(NOBODYS, [kept(ADA)])).toBeUndefined();
  expect(offeredView(NOBODYS, [kept(attemptOf("s1"), USUAL)])).toBeUndefined();
});

test("the report of a test that is over looks as the test did", () => {
  const over = left(kept(attemptOf("s1")));
  expect(firstOf(over, [], true)).toEqual(over);
});

test("another account does not get the view of the one before", () => {
  const device = withKept([], kept(ADA));
  expect(signedIn(kept(ADA), BO, device)).toEqual({ of: BO, at: 0, view: USUAL });
  expect(signedOut(kept(ADA))).toBe(NOBODYS);
  expect(signedIn(signedOut(kept(ADA)), ADA, device)).toEqual(kept(ADA));
});

test("an account takes over what was chosen just before, but not from an attempt, and not in place of its own", () => {
  expect(signedIn(kept("", LARGE), ADA, [])).toEqual(kept(ADA, LARGE));
  expect(signedIn(kept("", LARGE), ADA, [kept(ADA)])).toEqual(kept(ADA));
  expect(signedIn(kept(attemptOf("s1"), LARGE), ADA, []).view).toBe(USUAL);
});

test("an attempt of an account has the account's view, during and after it", () => {
  expect(seated(kept(ADA), attemptOf("s1"), [])).toEqual(kept(ADA));
  expect(left(kept(ADA))).toEqual(kept(ADA));
});

test("the last change wins, on whatever device it was made", () => {
  expect(newest(kept(ADA, DARK, 5), kept(ADA, LARGE, 6)).view).toEqual(LARGE);
  expect(newest(kept(ADA, DARK, 7), kept(ADA, LARGE, 6)).view).toEqual(DARK);
  expect(newest(kept(ADA, DARK, 7), undefined).view).toEqual(DARK);
});

test("a device keeps the last views only, each owner's once", () => {
  const owners = Array.from({ length: 12 }, (_, index) => attemptOf(String(index)));
  const device = owners.reduce((views, of, at) => withKept(views, kept(of, DARK, at + 1)), [] as KeptView[]);
  expect(device.map(({ of }) => of)).toEqual(owners.slice(4).reverse());
  expect(withKept(device, kept(owners[6]!, LARGE, 99)).map(({ at }) => at)).toEqual([99, 12, 11, 10, 9, 8, 6, 5]);
  expect(withKept(device, NOBODYS)).toBe(device);
});
