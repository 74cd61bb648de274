// What the server says of its own state to administrators: of all servers that share its database, not only of the one that answers.

import type { ServiceHealth } from "../../api/schema";

export const HEALTH = "/api/admin/health";

export type { ServiceHealth as Health } from "../../api/schema";

export type ServiceStanding = "ok" | "off" | "unavailable";
export const SERVICES = ["database", "redis", "provider"] as const;
export type Service = (typeof SERVICES)[number];

export function serviceStanding(health: ServiceHealth, service: Service): ServiceStanding {
  if (service === "redis" && !health.redis.configured) return "off";
  return health[service].ok ? "ok" : "unavailable";
}

/** Whether everything that is used answers. */
export function isSound(health: ServiceHealth): boolean {
  return SERVICES.every((service) => serviceStanding(health, service) !== "unavailable");
}
