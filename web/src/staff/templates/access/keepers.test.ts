import { expect, test } from "vitest";
import type { AgendaEntry, Managed } from "../../agenda";
import { keepersOf } from "./keepers";

test("the link is closed for sittings of the template whose results are not released", () => {
  const seen = (id: string): AgendaEntry => ({ id, name: "Finals", startsAt: "2027-06-01T02:00:00.000Z", begunAt: null, state: "draft", ownRooms: [], stopped: [] });
  const managed = (id: string, templateId: string, releasedAt: string | null) => ({ ...seen(id), managed: { templateId, releasedAt } as Managed });
  const agenda = [managed("s1", "t1", null), managed("s2", "t2", null), managed("s3", "t1", "2027-06-02T02:00:00.000Z"), seen("s4"), managed("s5", "t1", null)];
  expect(keepersOf("t1", agenda).map(({ id }) => id)).toEqual(["s1", "s5"]);
});
