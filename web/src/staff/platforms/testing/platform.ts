// A platform and a link as the server answers them, for tests.

import type { CourseLink } from "../links";
import type { Platform } from "../platform";

export function examplePlatform(changes: Partial<Platform> = {}): Platform {
  return {
    id: "p1",
    name: "Moodle",
    issuer: "https://lms.school.example",
    clientId: "client",
    endpoints: { authorization: "https://lms.school.example/auth", token: "https://lms.school.example/token", jwks: "https://lms.school.example/keys" },
    state: "active",
    deployments: [],
    grades: [],
    frameOrigins: [],
    tokenAudience: null,
    scoreForm: "percent",
    trustsEmails: false,
    staffOnlyChoose: false,
    createdAt: "2026-11-01T08:00:00.000Z",
    updatedAt: "2026-11-01T08:00:00.000Z",
    ...changes,
  };
}

export function courseLink(changes: Partial<CourseLink> = {}): CourseLink {
  return {
    id: "l1",
    platformId: "p1",
    platform: "Moodle",
    deploymentId: "1",
    title: "Maths final",
    contextTitle: "Maths 5A",
    target: { kind: "sitting", id: "s1" },
    targetName: "Final exam in mathematics",
    lineItem: "https://lms.school.example/items/1",
    hasRoster: true,
    takesRoster: false,
    rosterTakenAt: null,
    rosterFailedAt: null,
    lastScoreAt: null,
    ungraded: [],
    waiting: 0,
    createdAt: "2026-11-01T08:00:00.000Z",
    ...changes,
  };
}
