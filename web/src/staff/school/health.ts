// What the server says of its own state to administrators: of all servers that share its database, not only of the one that answers.

export const HEALTH = "/api/admin/health";

export interface Health {
  version: string;
  startedAt: string;
  database: { kind: string; ok: boolean; milliseconds: number | null };
  redis: { configured: boolean; ok: boolean };
  provider: { kind: string; ok: boolean };
  queues: { webhooksPending: number; webhooksFailed: number; transfersWaiting: number };
  servers: { id: string; seenAt: string }[];
}

export type ServiceStanding = "ok" | "off" | "unavailable";
export const SERVICES = ["database", "redis", "provider"] as const;
export type Service = (typeof SERVICES)[number];

export function serviceStanding(health: Health, service: Service): ServiceStanding {
  if (service === "redis" && !health.redis.configured) return "off";
  return health[service].ok ? "ok" : "unavailable";
}

/** Whether everything that is used answers. */
export function isSound(health: Health): boolean {
  return SERVICES.every((service) => serviceStanding(health, service) !== "unavailable");
}
