// What is written down of an exam day, as the desk shows it.

export type { SittingIncident as Incident } from "../../api/schema";
