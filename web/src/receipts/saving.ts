// Gives a student the receipts as one file: a receipt a line, the final one first.

const READ_MS = 60_000;

export function saveReceipts(sessionId: string, receipts: string[]): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([receipts.map((receipt) => `${receipt}\n`).join("")], { type: "text/plain" }));
  link.download = `receipt-${sessionId}.txt`;
  link.click();
  // The browser reads the file after this.
  setTimeout(() => URL.revokeObjectURL(link.href), READ_MS);
}
