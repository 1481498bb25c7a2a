import { expect, it } from '@jest/globals';
import {
  createLegacySessions,
  type GivenUp,
  type SessionPlace,
  type SharedSession,
} from './legacy-sessions.ts';

const MINUTE_MS = 60_000;
const at = (owner: string, accessToken = 'first') => ({
  url: 'https://tools.example/mcp',
  owner,
  extensions: undefined,
  credential: { kind: 'access_token' as const, accessToken },
});
const ALICE = at('alice');
const BOB = at('bob');
const session = (id: string | undefined): SharedSession => ({ revision: '2025-06-18', id, running: 0 });

function open() {
  let nowMs = 0;
  const givenUp: GivenUp[] = [];
  const sessions = createLegacySessions({
    clock: () => new Date(nowMs),
    onGivenUp: (given) => givenUp.push(given),
  });
  const keep = (place: SessionPlace, one: SharedSession): SharedSession =>
    sessions.keep(place, one, [place.owner, `user ${place.owner}`, 'organization']);
  const passMinutes = (minutes: number): void => {
    nowMs += minutes * MINUTE_MS;
  };
  return { sessions, keep, passMinutes, givenUp };
}

it('keeps a session until an hour after its last use', () => {
  const { sessions, keep, passMinutes } = open();
  const one = session('one');
  keep(ALICE, one);
  for (let calls = 0; calls < 200; calls += 1) {
    passMinutes(0.5);
    expect(sessions.find(ALICE)).toBe(one);
  }
  passMinutes(59);
  expect([sessions.find(ALICE), sessions.find(BOB)]).toEqual([one, undefined]);
  passMinutes(60);
  expect(sessions.find(ALICE)).toBeUndefined();
});

it('forgets the handshake of a server without sessions after ten minutes, however often it is used', () => {
  const { sessions, keep, passMinutes } = open();
  keep(ALICE, session(undefined));
  for (let calls = 0; calls < 19; calls += 1) {
    passMinutes(0.5);
    expect(sessions.find(BOB)).toBeDefined();
  }
  passMinutes(0.5);
  expect(sessions.find(BOB)).toBeUndefined();
});

it('gives up the least recently used of more than ten thousand sessions', () => {
  const { sessions, keep, givenUp } = open();
  for (let user = 0; user < 10_000; user += 1) keep(at(`user ${user}`), session('one'));
  sessions.find(at('user 0'));
  expect(givenUp).toEqual([]);
  keep(ALICE, session('one'));
  expect([sessions.find(at('user 0')), sessions.find(at('user 1'))]).toEqual([expect.anything(), undefined]);
  expect(givenUp).toMatchObject([{ session: session('one'), place: at('user 1') }]);
});

it('gives up a session that was not used for an hour, with its newest credential', () => {
  const { sessions, keep, passMinutes, givenUp } = open();
  keep(ALICE, session('of Alice'));
  keep(BOB, session('of Bob'));
  passMinutes(30);
  sessions.find(at('alice', 'second'));
  passMinutes(30);
  sessions.sweep();
  expect(givenUp).toMatchObject([{ session: session('of Bob'), place: BOB }]);
  passMinutes(30);
  sessions.find(at('alice', 'third'));
  expect(givenUp.slice(1)).toMatchObject([{ session: session('of Alice'), place: at('alice', 'third') }]);
  sessions.sweep();
  expect([givenUp.length, sessions.hasAny()]).toEqual([2, false]);
});

it('keeps one session for requests that open sessions at the same time', () => {
  const { sessions, keep } = open();
  const [first, second] = [session('first'), session('second')];
  expect([keep(ALICE, first), keep(ALICE, second)]).toEqual([first, first]);
  sessions.drop(ALICE, second);
  expect(sessions.find(ALICE)).toBe(first);
  sessions.drop(ALICE, first);
  expect(keep(ALICE, second)).toBe(second);
});

it('gives up the sessions of an owner, the sessions of a name, and all sessions, each once', () => {
  const { sessions, keep, givenUp } = open();
  for (const owner of ['alice', 'bob', 'carol']) keep(at(owner), session(owner));
  keep({ ...ALICE, extensions: 'some' }, session('alice, with extensions'));
  keep({ ...ALICE, url: 'https://other.example/mcp' }, session(undefined));
  const idsAfter = (name: string) => {
    sessions.giveUpNamed(name);
    return givenUp.splice(0).map((given) => given.session.id);
  };
  expect([idsAfter('nobody'), idsAfter('alice'), idsAfter('user alice')]).toEqual([
    [],
    ['alice', 'alice, with extensions'],
    [],
  ]);
  expect([idsAfter('user bob'), idsAfter('organization'), idsAfter('organization')]).toEqual([
    ['bob'],
    ['carol'],
    [],
  ]);
  keep(BOB, session('bob'));
  sessions.giveUpAll();
  expect(givenUp.splice(0).map((given) => given.session.id)).toEqual(['bob']);
  expect([sessions.hasAny(), idsAfter('organization')]).toEqual([false, []]);
});

it('gives up a session after the last request that runs in it', async () => {
  const { sessions, keep, givenUp } = open();
  const one = keep(ALICE, session('one'));
  const ends: (() => void)[] = [];
  const running = [1, 2].map(() => sessions.within(one, () => new Promise<void>((end) => ends.push(end))));
  sessions.giveUpNamed('alice');
  expect(sessions.find(ALICE)).toBeUndefined();
  for (const [index, end] of ends.entries()) {
    expect(givenUp).toEqual([]);
    end();
    await running[index];
  }
  expect(givenUp).toMatchObject([{ session: { id: 'one', running: 0 }, place: ALICE }]);
});
