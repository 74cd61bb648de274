// Learning platforms, their links in courses and the scores that they are sent, as the server keeps them.

import type { DeploymentState, PlatformState, PlatformView } from "../../api/schema";
import { compareTexts } from "../order";

export type { ConnectionReport, NewPlatform, PlatformChange, PlatformView as Platform } from "../../api/schema";

export const PLATFORMS = "/api/admin/lti/platforms";
export const PLATFORM = "/api/admin/lti/platforms/{id}";
export const PLATFORMS_PAGE = "/staff/school/platforms";

export function platformPage({ id }: Pick<PlatformView, "id">): string {
  return `${PLATFORMS_PAGE}/${id}`;
}

const STATES: PlatformState[] = ["pending", "active", "blocked"];

/** What waits for somebody first, and what is shut out last. */
export function byPlatform(one: PlatformView, other: PlatformView): number {
  const attention = (platform: PlatformView) => (waitingDeployments(platform) > 0 && platform.state !== "blocked" ? 0 : 1);
  return STATES.indexOf(one.state) - STATES.indexOf(other.state) || attention(one) - attention(other) || compareTexts(one.name, other.name);
}

export function waitingDeployments({ deployments }: Pick<PlatformView, "deployments">): number {
  return deployments.filter(({ state }) => state === "pending").length;
}

/** The deployments with this one in this state; a new one is added. */
export function withDeployment({ deployments }: Pick<PlatformView, "deployments">, id: string, state: DeploymentState): PlatformView["deployments"] {
  const isKnown = deployments.some((one) => one.id === id);
  return isKnown ? deployments.map((one) => (one.id === id ? { id, state } : one)) : [...deployments, { id, state }];
}

/** The deployments without this one. */
export function withoutDeployment({ deployments }: Pick<PlatformView, "deployments">, id: string): PlatformView["deployments"] {
  return deployments.filter((one) => one.id !== id);
}
