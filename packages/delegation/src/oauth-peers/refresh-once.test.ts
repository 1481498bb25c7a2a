import { beforeEach, expect, it } from '@jest/globals';
import { type Rotation, refreshOnce } from './refresh-once.ts';
import type { Sent } from './sent-token.ts';

interface Kept {
  readonly generation: number;
}
type Outcome = string;

/** A store that several processes share, and a simulated authorization server. */
let stored: Kept | undefined;
let claims: Set<number>;
let sent: number[];
let answer: () => Promise<Sent<Kept, string>>;
/** Runs while a process waits for another one. */
let meanwhile: () => void;

beforeEach(() => {
  stored = { generation: 0 };
  claims = new Set();
  sent = [];
  answer = async () => ({ kind: 'refreshed', tokens: { generation: 1 } });
  meanwhile = () => undefined;
});

const rotation: Rotation<Kept, Kept, Kept, string, Outcome> = {
  settled: ({ generation }) => (generation > 0 ? `has generation ${generation}` : undefined),
  async claim(kept) {
    if (claims.has(kept.generation)) return undefined;
    claims.add(kept.generation);
    return kept;
  },
  send(kept) {
    sent.push(kept.generation);
    return answer();
  },
  async keep(_kept, tokens) {
    stored = tokens;
    return `kept generation ${tokens.generation}`;
  },
  end: async () => 'ended',
  refuse: async (_kept, failure) => `refused: ${failure}`,
  release: async (_kept, failure) => `released: ${failure}`,
  lose: async (_kept, failure) => `lost: ${failure}`,
  spoil: async (_kept, failure) => `spoilt: ${failure}`,
  pause: async () => meanwhile(),
  findAgain: async () => stored,
  gone: () => 'gone',
  isAbandoned: (_kept, waits) => waits === 3,
  giveUp: async () => 'given up',
};

const refresh = () => refreshOnce({ generation: 0 }, rotation);

it('sends a refresh token once when two processes refresh at the same time', async () => {
  expect(await Promise.all([refresh(), refresh()])).toEqual(['kept generation 1', 'has generation 1']);
  expect(sent).toEqual([0]);
});

it('gives up without sending if the process with the right to send never finishes', async () => {
  claims.add(0);
  expect([await refresh(), sent]).toEqual(['given up', []]);
});

it('reports that the tokens are gone if they end while it waits', async () => {
  claims.add(0);
  meanwhile = () => (stored = undefined);
  expect(await refresh()).toBe('gone');
});

it.each<[string, Sent<Kept, string>, Outcome]>([
  ['invalid_grant', { kind: 'refused', error: 'invalid_grant', failure: 'x' }, 'ended'],
  ['another error', { kind: 'refused', error: 'invalid_client', failure: 'x' }, 'refused: x'],
  ['a connection that was never made', { kind: 'untouched', failure: 'x' }, 'released: x'],
  ['an answer that was lost', { kind: 'in_doubt', failure: 'x' }, 'lost: x'],
  ['an answer that is not usable', { kind: 'spent', failure: 'x' }, 'spoilt: x'],
])('handles the tokens according to the outcome: %s', async (_case, sentAs, expected) => {
  answer = async () => sentAs;
  expect(await refresh()).toBe(expected);
});
