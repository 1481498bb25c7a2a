import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { REVISIONS, type Revision } from './suite.ts';

/** Checks that pass at the tool server itself and fail at the hub, each with a reason. */
export const Exceptions = z.array(
  z.strictObject({
    revisions: z.array(z.enum(REVISIONS)).min(1),
    scenario: z.string(),
    checks: z.array(z.string()).min(1),
    reason: z.enum(['by-design', 'not-built-yet']),
    /** An explanation in plain words, for docs/mcp-conformance.md */
    why: z.string().min(1),
  }),
);
export type Exceptions = z.output<typeof Exceptions>;

export const readExceptions = async (): Promise<Exceptions> =>
  Exceptions.parse(JSON.parse(await readFile(new URL('exceptions.json', import.meta.url), 'utf8')));

/** The excepted checks of one revision, as the keys of outcomes. */
export const exceptedAt = (exceptions: Exceptions, revision: Revision): string[] =>
  exceptions
    .filter(({ revisions }) => revisions.includes(revision))
    .flatMap(({ scenario, checks }) => checks.map((check) => `${scenario}: ${check}`));

/** Number of checks that pass at the tool server itself, without which the comparison would prove nothing. */
export const PASSED_DIRECTLY: readonly (readonly [Revision, number])[] = [
  ['2025-03-26', 3],
  ['2025-06-18', 56],
  ['2025-11-25', 84],
  ['2026-07-28', 150],
];
