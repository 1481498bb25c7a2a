import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BenchPath } from './bench-path.ts';

const CHECKOUT = new URL('../../../../', import.meta.url).href;

/**
 * Compares a path with the same target of another checkout, in place of the peers: what a change costs. The other target
 * is built there, and starts after this one, whose migrations it must work with.
 * @param checkout a folder, from the current one
 */
export function against(path: BenchPath, checkout: string): BenchPath {
  const { target } = path;
  const file = target.file.href.slice(CHECKOUT.length);
  const root = pathToFileURL(`${resolve(process.env.INIT_CWD ?? '.', checkout)}/`);
  const program = { ...target, name: `${target.name} of ${checkout}`, file: new URL(file, root) };
  return { ...path, peers: [{ program, goal: 1.05 }] };
}
