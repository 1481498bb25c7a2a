import { expect, it } from '@jest/globals';
import { createLegacySessions } from './legacy-sessions.ts';

const MINUTE_MS = 60_000;
const ALICE = { url: 'https://tools.example/mcp', owner: 'alice', extensions: undefined };
const BOB = { ...ALICE, owner: 'bob' };

function open() {
  let nowMs = 0;
  const sessions = createLegacySessions({ clock: () => new Date(nowMs) });
  const passMinutes = (minutes: number): void => {
    nowMs += minutes * MINUTE_MS;
  };
  return { sessions, passMinutes };
}

it('keeps a session for as long as it is used, and an hour longer', () => {
  const { sessions, passMinutes } = open();
  const session = { revision: '2025-06-18', id: 'one' };
  sessions.keep(ALICE, session);
  for (let calls = 0; calls < 200; calls += 1) {
    passMinutes(0.5);
    expect(sessions.find(ALICE)).toEqual(session);
  }
  passMinutes(59);
  expect([sessions.find(ALICE), sessions.find(BOB)]).toEqual([session, undefined]);
  passMinutes(60);
  expect(sessions.find(ALICE)).toBeUndefined();
});

it('asks a server without sessions again after ten minutes, however often it is used', () => {
  const { sessions, passMinutes } = open();
  sessions.keep(ALICE, { revision: '2025-06-18', id: undefined });
  for (let calls = 0; calls < 19; calls += 1) {
    passMinutes(0.5);
    expect(sessions.find(BOB)).toBeDefined();
  }
  passMinutes(0.5);
  expect(sessions.find(BOB)).toBeUndefined();
});

it('gives up the session that was used least recently, beyond ten thousand', () => {
  const { sessions } = open();
  const ofUser = (number: number) => ({ ...ALICE, owner: `user ${number}` });
  for (let user = 0; user < 10_000; user += 1)
    sessions.keep(ofUser(user), { revision: '2025-06-18', id: 'one' });
  sessions.find(ofUser(0));
  sessions.keep(ALICE, { revision: '2025-06-18', id: 'one' });
  expect([sessions.find(ofUser(0)), sessions.find(ofUser(1))]).toEqual([expect.anything(), undefined]);
});
