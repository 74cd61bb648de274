// What is typed of a platform: its entry by hand, and what an admin allows it. What is wrong is named field by field.

import type { NewPlatform, Platform, PlatformChange } from "./platform";

export interface PlatformEntry {
  name: string;
  issuer: string;
  clientId: string;
  authorization: string;
  token: string;
  jwks: string;
  /** May stay empty: it then waits for an admin at the first launch. */
  deployment: string;
}
export type EntryField = keyof PlatformEntry;
export const ENTRY_FIELDS: EntryField[] = ["name", "issuer", "clientId", "authorization", "token", "jwks", "deployment"];
/** The fields that are addresses of the platform. */
const ADDRESSES: EntryField[] = ["issuer", "authorization", "token", "jwks"];

export type EntryFault = "missing" | "noAddress" | "long";
export type EntryFaults = Partial<Record<EntryField, EntryFault>>;
export const EMPTY_ENTRY: PlatformEntry = { name: "", issuer: "", clientId: "", authorization: "", token: "", jwks: "", deployment: "" };

export const PLATFORM_NAME_MAX = 200;
/** As long as what a platform calls something may be, such as its issuer. */
export const PLATFORM_ID_MAX = 255;
export const PLATFORM_ADDRESS_MAX = 2_000;

/** What can't be saved; nothing for an entry that the server may take. */
export function entryFaults(entry: PlatformEntry): EntryFaults {
  const faults: EntryFaults = {};
  for (const field of ENTRY_FIELDS) {
    const text = entry[field].trim();
    if (text === "") {
      if (field !== "deployment") faults[field] = "missing";
    } else if (text.length > entryMax(field)) faults[field] = "long";
    else if (ADDRESSES.includes(field) && !isAddress(text)) faults[field] = "noAddress";
  }
  return faults;
}

export function entryMax(field: EntryField): number {
  if (field === "name") return PLATFORM_NAME_MAX;
  return field !== "issuer" && ADDRESSES.includes(field) ? PLATFORM_ADDRESS_MAX : PLATFORM_ID_MAX;
}

/** The entry as it is sent. The issuer is compared letter by letter by everybody, so nothing of it is changed but the room around it. */
export function newPlatform(entry: PlatformEntry): NewPlatform {
  const { name, issuer, clientId, authorization, token, jwks, deployment } = trimmed(entry);
  return {
    name,
    issuer,
    clientId,
    endpoints: { authorization, token, jwks },
    deployments: deployment === "" ? [] : [{ id: deployment, state: "active" }],
  };
}

function trimmed(entry: PlatformEntry): PlatformEntry {
  return Object.fromEntries(ENTRY_FIELDS.map((field) => [field, entry[field].trim()])) as unknown as PlatformEntry;
}

function isAddress(text: string): boolean {
  return /^https?:\/\/[^\s/?#]+[^\s]*$/i.test(text);
}

/** What an admin allows a platform, as it is typed. */
export interface PlatformOptions {
  name: string;
  grades: number[];
  /** One a line. */
  origins: string;
  trustsEmails: boolean;
  staffOnlyChoose: boolean;
  scoreForm: Platform["scoreForm"];
  /** Empty for the address of the tokens. */
  audience: string;
  authorization: string;
  token: string;
  jwks: string;
}
export type OptionField = "name" | "origins" | "authorization" | "token" | "jwks";
export type OptionFaults = Partial<Record<OptionField, EntryFault | "noOrigins">>;
export const FRAME_ORIGINS_MAX = 10;

export function platformOptions({ name, grades, frameOrigins, trustsEmails, staffOnlyChoose, scoreForm, tokenAudience, endpoints }: Platform): PlatformOptions {
  return { name, grades: [...grades], origins: frameOrigins.join("\n"), trustsEmails, staffOnlyChoose, scoreForm, audience: tokenAudience ?? "", ...endpoints };
}

/** Origins, one a line: of a whole address its origin is taken. Undefined if a line is none, or if they are too many. */
export function originsIn(text: string): string[] | undefined {
  const lines = text.split(/[\s,]+/).filter((line) => line !== "");
  const found = [...new Set(lines.map(originOf))];
  return found.length > FRAME_ORIGINS_MAX || found.includes(undefined) ? undefined : (found as string[]);
}

/** In the only form that the server takes: small letters, and no port that is the scheme's own. */
function originOf(address: string): string | undefined {
  try {
    const { protocol, username, origin } = new URL(address);
    return /^https?:$/.test(protocol) && username === "" ? origin : undefined;
  } catch {
    return undefined;
  }
}

export function optionFaults({ name, origins, authorization, token, jwks }: PlatformOptions): OptionFaults {
  const faults: OptionFaults = {};
  if (name.trim() === "") faults.name = "missing";
  if (originsIn(origins) === undefined) faults.origins = "noOrigins";
  for (const [field, text] of Object.entries({ authorization, token, jwks })) {
    if (!isAddress(text.trim())) faults[field as "authorization" | "token" | "jwks"] = text.trim() === "" ? "missing" : "noAddress";
  }
  return faults;
}

/** The fields that differ from what is stored, as they are sent. */
export function optionChanges(stored: Platform, typed: PlatformOptions): PlatformChange {
  const endpoints = { authorization: typed.authorization.trim(), token: typed.token.trim(), jwks: typed.jwks.trim() };
  const wanted = {
    name: typed.name.trim(),
    grades: typed.grades,
    frameOrigins: originsIn(typed.origins) ?? stored.frameOrigins,
    trustsEmails: typed.trustsEmails,
    staffOnlyChoose: typed.staffOnlyChoose,
    scoreForm: typed.scoreForm,
    tokenAudience: typed.audience.trim() === "" ? null : typed.audience.trim(),
    endpoints,
  };
  const known: typeof wanted = {
    name: stored.name,
    grades: stored.grades,
    frameOrigins: stored.frameOrigins,
    trustsEmails: stored.trustsEmails,
    staffOnlyChoose: stored.staffOnlyChoose,
    scoreForm: stored.scoreForm,
    tokenAudience: stored.tokenAudience ?? null,
    endpoints: { authorization: stored.endpoints.authorization, token: stored.endpoints.token, jwks: stored.endpoints.jwks },
  };
  const changed = Object.entries(wanted).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(known[name as keyof typeof known]));
  return Object.fromEntries(changed) as PlatformChange;
}
