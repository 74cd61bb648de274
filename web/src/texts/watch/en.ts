// What a proctor reads on the pages of students, in English. Separate from the other texts, since only those who are signed in load
// it, and few of them watch a room.

const en = {
  title: "You watch a room",
  line: (exam: string, rooms: string[]) => `${exam}: ${rooms.join(", ")}`,
  desk: "Open the desk",
  deskOf: (exam: string, room: string) => `Open the desk: ${exam}, ${room}`,
};

export default en;
export type WatchTexts = typeof en;
