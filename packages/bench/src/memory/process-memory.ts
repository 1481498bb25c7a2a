import { readFile } from 'node:fs/promises';

/** Memory of a process in MB. Shared pages, as of Node.js itself, count fully in `resident` and by their share in `proportional`. */
export interface ProcessMemory {
  readonly resident: number;
  readonly proportional: number;
}

/** Reads the memory of a process on Linux. */
export async function readMemory(pid: number): Promise<ProcessMemory> {
  return parseMemory(await readFile(`/proc/${pid}/smaps_rollup`, 'utf8'));
}

/** @throws {Error} for a text without the sums */
export function parseMemory(text: string): ProcessMemory {
  const megabytes = (name: string): number => {
    const kilobytes = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1];
    if (kilobytes === undefined) throw new Error(`no ${name} in smaps_rollup`);
    return Number(kilobytes) / 1024;
  };
  return { resident: megabytes('Rss'), proportional: megabytes('Pss') };
}
