import { parseArgs } from 'node:util';

export interface Options {
  readonly rounds: number;
  readonly requestsPerRound: number;
  /** Part of a path's name; undefined: all paths. */
  readonly only: string | undefined;
  /** The report as JSON on standard output, in the place of tables. */
  readonly json: boolean;
  readonly profile: boolean;
}

export const USAGE = `npm run bench -- [--quick] [--only <part of a path's name>] [--profile] [--json]`;

/** @throws {TypeError} for what is not an option */
export function parseOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string' },
      json: { type: 'boolean', default: false },
      profile: { type: 'boolean', default: false },
    },
  });
  const size = values.quick ? { rounds: 3, requestsPerRound: 1000 } : { rounds: 9, requestsPerRound: 2000 };
  return { ...size, only: values.only, json: values.json, profile: values.profile };
}
