import type { Exchange } from './load.ts';
import type { Program } from './target.ts';

/** What a program is in a comparison. */
export type Role = 'target' | 'floor' | 'peer';

export interface Peer {
  readonly program: Program;
  /** Highest ratio of the target's CPU per request to this peer's that is good enough; undefined: only to compare. */
  readonly goal?: number;
}

/** One kind of load, at which all programs are measured. */
export interface Load {
  /** Unlike for different loads of a path */
  readonly name: string;
  readonly connections: number;
  /** At most, where one request takes much longer than others do. */
  readonly requestsPerRound?: number;
  /** Whether each round is sent once before it is measured, since what is kept of it does not outlive the other rounds. */
  readonly isWarmed?: boolean;
  /** The exchanges of one round; the same ones are sent to each program. */
  exchanges(count: number): Promise<readonly Exchange[]>;
}

/** One way through a service that is measured, next to a floor and peers. */
export interface BenchPath {
  readonly name: string;
  readonly target: Program;
  readonly floor: Program;
  readonly peers: readonly Peer[];
  readonly loads: readonly Load[];
  close(): Promise<void>;
}

/** The same exchanges over one connection, and over as many as keep a process busy. */
export const atOneAndManyConnections = (exchanges: Load['exchanges']): readonly Load[] => [
  { name: '1 connection', connections: 1, exchanges },
  { name: '16 connections', connections: 16, exchanges },
];
