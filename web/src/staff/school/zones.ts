// Time zones by the names of the IANA database: which there are, found by words, and what time it is there.

import { folded, wordsOf } from "../search";

/** Names that browsers still give to places which the database has renamed. */
const RENAMED: Record<string, string> = {
  "Asia/Saigon": "Asia/Ho_Chi_Minh",
  "Asia/Calcutta": "Asia/Kolkata",
  "Asia/Katmandu": "Asia/Kathmandu",
  "Asia/Rangoon": "Asia/Yangon",
};

/** For browsers that do not say which zones they know. Others can be typed. */
const COMMON = [
  "Africa/Cairo",
  "Africa/Johannesburg",
  "Africa/Lagos",
  "Africa/Nairobi",
  "America/Chicago",
  "America/Los_Angeles",
  "America/New_York",
  "America/Sao_Paulo",
  "Asia/Bangkok",
  "Asia/Dubai",
  "Asia/Ho_Chi_Minh",
  "Asia/Jakarta",
  "Asia/Kolkata",
  "Asia/Manila",
  "Asia/Seoul",
  "Asia/Shanghai",
  "Asia/Singapore",
  "Asia/Tokyo",
  "Australia/Sydney",
  "Europe/Berlin",
  "Europe/London",
  "Europe/Paris",
  "UTC",
];

/** What people look for, beside the name. */
const OTHER_WORDS: Record<string, string> = {
  "Asia/Ho_Chi_Minh": "Vietnam Viet Nam Hanoi Ha Noi Saigon Sai Gon",
  "Asia/Kolkata": "India Calcutta Delhi Mumbai",
  "Asia/Shanghai": "China Beijing Bac Kinh",
  "Europe/Berlin": "Germany Deutschland Duc",
  "Europe/London": "Great Britain Anh",
  UTC: "GMT Greenwich Zulu",
};

const NAME = /^[A-Za-z]\w*(?:\/[\w+-]+)*$/;

/** All zones that the browser knows, or the usual ones with `isWhole` false. */
export function zoneNames(): { names: string[]; isWhole: boolean } {
  const told = typeof Intl.supportedValuesOf === "function" ? Intl.supportedValuesOf("timeZone") : [];
  if (told.length === 0) return { names: COMMON, isWhole: false };
  return { names: [...new Set([...told.map((name) => RENAMED[name] ?? name), "UTC"])].sort(), isWhole: true };
}

/** The zones whose names have all the words that are typed. */
export function zonesFor(typed: string, names: string[]): string[] {
  const words = wordsOf(typed);
  return names.filter((name) => {
    const said = folded(`${name} ${name.replace(/[/_]/g, " ")} ${OTHER_WORDS[name] ?? ""}`);
    return words.every((word) => said.includes(word));
  });
}

export function isZone(name: string): boolean {
  return NAME.test(name) && timeIn(name, 0, "en") !== "";
}

/** The time of day there; empty for a zone that does not exist. */
export function timeIn(zone: string, milliseconds: number, locale: string): string {
  try {
    return new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit", timeZone: zone }).format(milliseconds);
  } catch {
    return "";
  }
}
