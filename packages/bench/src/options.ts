import { parseArgs } from 'node:util';

export interface Options {
  readonly rounds: number;
  readonly requestsPerRound: number;
  /** Upper limit for the users of a load. */
  readonly maxUsers: number;
  /** Part of a path's name; undefined: all paths. */
  readonly only: string | undefined;
  /** The report as JSON on standard output instead of tables. */
  readonly json: boolean;
  readonly profile: boolean;
  /** Fails if a path takes more than its bound; only paths that have one, without their peers. */
  readonly guard: boolean;
  /** Measures memory and start instead of the paths. */
  readonly memory: boolean;
  /** Another checkout, built: its programs replace the peers. Undefined: the peers are measured */
  readonly against: string | undefined;
}

export const HELP = `npm run bench -- [--quick] [--only <part>] [--against <checkout>] [--guard] [--profile] [--json]\nnpm run bench -- --memory [--json]\n\nMeasures what a request costs, next to a floor and to peers: half an hour on two cores.\n\n  --quick         fewer and shorter rounds, for a first impression\n  --only <part>   only the paths with this in their names\n  --against <dir> compares with the build of another checkout instead of with the peers\n  --guard         fails if a path costs about twice what it should, in relation to the floor; without the peers\n  --profile       also writes CPU profiles to bench-results, and prints where the time goes\n  --memory        memory and start of the services instead; on Linux\n  --json          the report on standard output, instead of tables\n\nPaths, in the order of measuring:\n`;

/**
 * @returns undefined if help is requested
 * @throws {TypeError} for an unknown option
 */
export function parseOptions(args: readonly string[]): Options | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string' },
      against: { type: 'string' },
      json: { type: 'boolean', default: false },
      profile: { type: 'boolean', default: false },
      guard: { type: 'boolean', default: false },
      memory: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) return undefined;
  const size = sizeOf(values);
  const { only, json, profile, guard, memory, against } = values;
  return {
    ...size,
    ...(against !== undefined && { rounds: size.rounds * 4 }),
    only,
    json,
    profile,
    guard,
    memory,
    against,
  };
}

function sizeOf({
  quick,
  guard,
}: {
  quick: boolean;
  guard: boolean;
}): Pick<Options, 'rounds' | 'requestsPerRound' | 'maxUsers'> {
  if (guard) return { rounds: 3, requestsPerRound: 500, maxUsers: 1000 };
  return quick
    ? { rounds: 3, requestsPerRound: 1000, maxUsers: 1000 }
    : { rounds: 9, requestsPerRound: 2000, maxUsers: 100_000 };
}
