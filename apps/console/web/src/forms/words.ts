/** Returns the items of a field, which are separated by spaces or lines. */
export const wordsOf = (text: string): string[] => text.split(/\s+/).filter(Boolean);
