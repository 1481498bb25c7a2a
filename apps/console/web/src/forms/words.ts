/** Returns what a field lists, separated by spaces or lines. */
export const wordsOf = (text: string): string[] => text.split(/\s+/).filter(Boolean);
