import type { Exchange, Pace } from './load.ts';
import type { Program } from './target.ts';

/** The role of a program in a comparison. */
export type Role = 'target' | 'floor' | 'peer';

/** The highest acceptable ratio of the target's CPU per request to a peer's, by the name of the load. */
export type Goals = Readonly<Record<string, number>>;

export interface Peer {
  readonly program: Program;
  readonly goals?: Goals;
}

/** One kind of load, applied to all programs. */
export interface Load extends Pace {
  /** Name that no other load of the path has */
  readonly name: string;
  /** Upper limit, for requests that take much longer than others. */
  readonly requestsPerRound?: number;
  /** Number of processes of each program that share the requests; default: all */
  readonly processes?: number;
  /** True if each round is sent once before it is measured, because its cache entries expire during other rounds. */
  readonly isWarmed?: boolean;
  /** The exchanges of one round; the same ones are sent to each program, adapted by its `prepare`. */
  exchanges(count: number): Promise<readonly Exchange[]>;
}

/** One path through a service that is measured, next to a floor and peers. */
export interface BenchPath {
  readonly name: string;
  /** True if the floor is what the target forwards to: the report then has what the target adds to its latency. */
  readonly isFloorBehindTarget?: boolean;
  readonly target: Program;
  readonly floor: Program;
  readonly peers: readonly Peer[];
  readonly loads: readonly Load[];
  close(): Promise<void>;
}

/** Returns two loads of the same exchanges: over one connection, and over as many as keep a process busy. */
export const atOneAndManyConnections = (exchanges: Load['exchanges']): readonly Load[] => [
  { name: '1 connection', connections: 1, exchanges },
  { name: '16 connections', connections: 16, exchanges },
];
