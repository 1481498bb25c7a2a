export function countLines(file: string, text: string): number | undefined;
