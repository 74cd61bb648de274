// What is written down of an exam day, as the desk shows it.

import type { SittingIncident } from "../../api/schema";

/** One that was written down here has no id until it is read. */
export type Incident = Omit<SittingIncident, "id">;
