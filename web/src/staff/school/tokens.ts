// API tokens as the server lists them: without their secrets, which are shown once.

import type { StaffUser } from "../me.svelte";

export const TOKENS = "/api/admin/tokens";

export type { TokenView as Token } from "../../api/schema";

/** From the fewest rights to the most: a program should have no more than it needs. */
export const TOKEN_ROLES: StaffUser["role"][] = ["student", "reviewer", "manager", "admin"];
export const TOKEN_NAME_MAX = 200;
