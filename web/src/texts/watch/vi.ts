// What a proctor reads on the pages of students, in Vietnamese.

import type { WatchTexts } from "./en";

const vi: WatchTexts = {
  title: "Thầy cô coi thi",
  line: (exam, rooms) => `${exam}: ${rooms.join(", ")}`,
  desk: "Mở bàn giám thị",
  deskOf: (exam, room) => `Mở bàn giám thị: ${exam}, ${room}`,
};

export default vi;
