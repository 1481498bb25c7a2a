import type { Exchange } from './load.ts';
import type { Program } from './target.ts';

/** What a program is in a comparison. */
export type Role = 'target' | 'floor' | 'peer';

/** One way through a service that is measured, next to a floor and a peer. */
export interface BenchPath {
  readonly name: string;
  /** Highest ratio of the target's CPU per request to the peer's that is good enough. */
  readonly goal: number;
  readonly programs: Readonly<Record<Role, Program>>;
  /** The exchanges of one round; the same ones are sent to each program. */
  exchanges(count: number): Promise<readonly Exchange[]>;
  close(): Promise<void>;
}
