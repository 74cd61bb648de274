// What is written down of an exam day, as the desk shows it.

export interface Incident {
  at: string;
  kind: string;
  text: string;
  by: string;
  room: string | null;
  candidateId: string | null;
  candidate: string | null;
}
