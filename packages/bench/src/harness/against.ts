import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BenchPath } from './bench-path.ts';

const CHECKOUT = new URL('../../../../', import.meta.url).href;

/**
 * Compares a path with the same target of another checkout instead of the peers, to measure the cost of a change. The
 * other target must be built there; it starts after this one, and must work with this one's migrations.
 * @param checkout a folder, relative to the current one
 */
export function against(path: BenchPath, checkout: string): BenchPath {
  const { target } = path;
  const file = target.file.href.slice(CHECKOUT.length);
  const root = pathToFileURL(`${resolve(process.env.INIT_CWD ?? '.', checkout)}/`);
  const program = { ...target, name: `${target.name} of ${checkout}`, file: new URL(file, root) };
  const goals = Object.fromEntries(path.loads.map(({ name: load }) => [load, 1.05]));
  return { ...path, peers: [{ program, goals }] };
}
