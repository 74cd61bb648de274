// What a reviewer has unfolded stays so from one question to the next.

export const disclosure = $state({ isHistoryOpen: false });
