// What the page of a sitting shows, with all that it needs to show it.

import type { Exam } from "../../exam/exam";
import type { AttemptRecord } from "../../exam/ports";
import type { EndReason } from "../../exam/protocol";
import type { Paper } from "../../sitting/paper";
import type { WaitingRoom } from "../../sitting/waiting_room";
import type { EntryProblem } from "./EntryPage.svelte";

export type SittingStage =
  | { kind: "loading" | "unreadable" | "opening" }
  | { kind: "entry"; problem?: EntryProblem }
  | { kind: "doors"; doorsAt: number; doorsInMs: number; askedAt: number }
  | { kind: "underWay"; found: AttemptRecord[]; fresh: string }
  | { kind: "unreachable"; wake: () => Promise<void> }
  | { kind: "room"; room: WaitingRoom; paper: Paper }
  | { kind: "endUnread"; sessionId: string; wake: () => Promise<void> }
  | { kind: "running"; exam: Exam }
  | { kind: "ended"; sessionId: string; isNews: boolean; endedBy: EndReason | null; exam?: Exam };
