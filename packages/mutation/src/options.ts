import { parseArgs } from 'node:util';
import { z } from 'zod';

export const HELP = `npm run mutate -- [--all | --count <n>] [--seed <text>] [--only <part>]... [--id <id>]... [--workers <n>] [--list]

Changes the security core in one place at a time and runs the tests of that part: a test must fail. No file is changed.

  --all           every mutant; otherwise a sample of them
  --count <n>     the size of the sample: 320
  --seed <text>   another seed chooses another sample
  --only <part>   only files with this in their path; may be repeated
  --id <id>       only this mutant; may be repeated
  --workers <n>   processes that run tests: 2
  --list          prints the mutants and runs nothing

Exit code: 0 if every survivor is in packages/mutation/accepted-survivors.json with a reason, else 1; 2 if the tests fail
without a mutant.
`;

export interface Options {
  readonly count: number;
  readonly seed: string;
  readonly only: readonly string[];
  readonly ids: readonly string[];
  readonly workers: number;
  readonly list: boolean;
}

const Numbers = z.object({
  count: z.coerce.number<string>('--count must be a number').int().positive(),
  workers: z.coerce.number<string>('--workers must be a number').int().positive().max(64),
});

/**
 * @returns undefined if help is requested
 * @throws {TypeError | z.ZodError} for an unknown option, or a value that is not a number
 */
export function parseOptions(args: readonly string[]): Options | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      all: { type: 'boolean', default: false },
      count: { type: 'string', default: '320' },
      seed: { type: 'string', default: 'legate' },
      only: { type: 'string', multiple: true, default: [] },
      id: { type: 'string', multiple: true, default: [] },
      workers: { type: 'string', default: '2' },
      list: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) return undefined;
  const { count, workers } = Numbers.parse(values);
  const { all, seed, only, id: ids, list } = values;
  return { count: all || ids.length > 0 ? Number.POSITIVE_INFINITY : count, seed, only, ids, workers, list };
}
