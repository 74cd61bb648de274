// What a list of people is imported into, such as a sitting or a class, and the words of it that differ.

import type { RosterReport } from "../../api/schema";
import type { Answer } from "../api";

export interface ListSending {
  /** The version that the list is meant for. */
  version: number | undefined;
  isDryRun: boolean;
  /** Of files of OneRoster about several classes, the one that is meant; empty for all. */
  class_: string;
}

export interface ListTarget {
  /** That of what was read last. */
  readonly version: number | undefined;
  /** Reads it anew. */
  read(): Promise<void>;
  /** Sends the list that takes the place of the one before. A dry run writes nothing. */
  putList(list: Blob | string, contentType: string, sending: ListSending): Promise<Answer<RosterReport>>;
  /** Takes back the list that made this version, where that can be done. */
  undoList?(version: number | undefined): Promise<Answer<unknown>>;
}

export interface ListWords {
  title: string;
  lead: string;
  pasteLabel: string;
  placeholder: string;
  all: (count: number) => string;
  good: (count: number, left: number) => string;
  removing: (count: number, removed: number) => string;
  removeTitle: (count: number) => string;
  removes: (count: number) => string;
  removeLead: (count: number) => string;
  done: (added: number, updated: number, removed: number) => string;
  changed: string;
}
