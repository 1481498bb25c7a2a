import { describe, it } from '@jest/globals';
import { PROGRAMS } from './programs.js';

/** Names of the programs that a suite may need and a machine may lack. */
export type Need = keyof typeof PROGRAMS;

/** Jest's functions, or their variants that skip a test and add the reason to its title. */
export interface Tests<Path> {
  readonly describe: Named<typeof describe>;
  readonly it: Named<typeof it>;
  /** Path of each needed program; empty if it is missing, in which case no test runs. */
  readonly path: Path;
}
type Named<Declare extends typeof describe | typeof it> = Pick<Declare, 'each'> &
  ((...args: Parameters<Declare>) => void);

/**
 * Declares the programs that the tests of a file need. If one is missing, the tests are skipped, and the final list of
 * `npm test` gives the reason. If `CI` is set, only programs in `ALLOWED_TO_MISS` (a list separated by commas) may be
 * missing.
 * @throws {Error} if a program is missing and `CI` is set
 * @example const { it, path } = needs('Redis');
 */
export function needs<const Needs extends readonly Need[]>(
  ...wanted: Needs
): Tests<Record<Needs[number], string>> {
  const found = wanted.map((need) => [need, PROGRAMS[need].find() ?? ''] as const);
  const missing = found.filter(([, path]) => path === '').map(([need]) => need);
  const path = Object.fromEntries(found) as Record<Needs[number], string>;
  if (missing.length === 0) return { describe, it, path };
  refuseInCi(missing);
  const reason = `[left out: ${missing.join(', ')}]`;
  return { describe: leftOut(describe, reason), it: leftOut(it, reason), path };
}

/** @throws {Error} `CI` is set, and `ALLOWED_TO_MISS` does not name all that is missing */
export function refuseInCi(missing: readonly Need[], env: NodeJS.ProcessEnv = process.env): void {
  if (!env.CI || env.CI === 'false') return;
  const allowed = (env.ALLOWED_TO_MISS ?? '').split(',').filter(Boolean);
  const unknown = allowed.filter((name) => !Object.hasOwn(PROGRAMS, name));
  if (unknown.length > 0) throw new Error(`ALLOWED_TO_MISS names ${unknown.join(', ')}, which no test needs`);
  const refused = missing.filter((need) => !allowed.includes(need));
  if (refused.length > 0) {
    const how = refused.map((need) => `${need} (${PROGRAMS[need].install})`).join(', ');
    throw new Error(`with CI set no test may be left out; missing: ${how}`);
  }
}

/** The skipping form of `declare`, with the reason at the end of each title. */
function leftOut<Declare extends typeof describe | typeof it>(
  declare: Declare,
  reason: string,
): Named<Declare> {
  const titled = (title: unknown) => `${String(title)} ${reason}`;
  const skip = declare.skip as (title: string, ...rest: unknown[]) => void;
  const skipEach = declare.skip.each as (...table: unknown[]) => (title: string, ...rest: unknown[]) => void;
  return Object.assign((title: unknown, ...rest: unknown[]) => skip(titled(title), ...rest), {
    each:
      (...table: unknown[]) =>
      (title: unknown, ...rest: unknown[]) =>
        skipEach(...table)(titled(title), ...rest),
  }) as unknown as Named<Declare>;
}
