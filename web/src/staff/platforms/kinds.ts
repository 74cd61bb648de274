// The kinds of learning platforms that the pages know something about, and the addresses of ours that each is given.

/** Those with hints of their own, and any other. */
export const PLATFORM_KINDS = ["moodle", "canvas", "brightspace", "openedx", "blackboard", "other"] as const;
export type PlatformKind = (typeof PLATFORM_KINDS)[number];

/** The addresses that a platform asks a tool for. */
export const OUR_ADDRESSES = ["register", "login", "launch", "keys"] as const;
export type OurAddress = (typeof OUR_ADDRESSES)[number];
/** Those that are typed in where a platform can't register itself at one. */
export const SINGLE_ADDRESSES = ["login", "launch", "keys"] as const satisfies readonly OurAddress[];

const PATHS: Record<OurAddress, string> = { register: "/lti/register", login: "/lti/login", launch: "/lti/launch", keys: "/lti/jwks" };

/** `origin` is that under which this page was opened: the school's people and its platform use the same one. */
export function ourAddress(which: OurAddress, origin: string): string {
  return `${origin}${PATHS[which]}`;
}

/** Whether a platform can register itself at one address, as far as is known. Blackboard's registration names an issuer that the server refuses. */
export function canRegister(kind: PlatformKind): boolean {
  return kind !== "openedx" && kind !== "blackboard";
}

/** What a platform said of its product when it registered, as one of the kinds. */
export function kindOfProduct(product: string | null | undefined): PlatformKind {
  const said = (product ?? "").toLowerCase();
  if (said === "desire2learn" || said === "d2l") return "brightspace";
  if (said.includes("edx")) return "openedx";
  return PLATFORM_KINDS.find((kind) => kind !== "other" && said.includes(kind)) ?? "other";
}
