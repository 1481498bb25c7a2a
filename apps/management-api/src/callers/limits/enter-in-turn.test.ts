import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { OrganizationId, UserId } from '@legate/ids';
import { createSlots, createWaitingRoom } from '@legate/rate-limit';
import type { Problem } from '@legate/service';
import type { Request, Response } from 'express';
import type { Caller } from '../../domain/caller.ts';
import { setCaller } from '../authentication/caller-of-request.ts';
import { enterInTurn } from './enter-in-turn.ts';

const ALICE: Caller = {
  issuer: 'https://idp.example',
  subject: UserId.parse('user_alice'),
  organizationId: OrganizationId.parse('org_acme'),
  email: undefined,
  name: undefined,
  roles: undefined,
  scope: undefined,
  credential: { kind: 'access_token', clientId: null, tokenId: null },
};

let enter: ReturnType<typeof enterInTurn>;
let refused: number;
beforeEach(() => {
  jest.useFakeTimers();
  refused = 0;
  enter = enterInTurn({
    room: createWaitingRoom({
      ...{ max: 2, places: 3, waitMs: 2000, sharePercent: 50 },
      hasOthers: () => false,
      clock: () => new Date(),
    }),
    slots: createSlots(),
    isSecurity: ({ method }) => method === 'DELETE',
    onRefused: () => {
      refused += 1;
    },
  });
});
afterEach(() => {
  jest.useRealTimers();
});

class FakeResponse extends EventEmitter {
  readonly locals = {};
  destroyed = false;
  headersSent = false;
  statusCode = 200;
  /** Closes the connection after a response, or without one. */
  close(status?: number) {
    this.headersSent = status !== undefined;
    this.statusCode = status ?? 200;
    this.destroyed = true;
    this.emit('close');
  }
}

/** Starts a request. @returns the request with its outcome so far */
function ask(caller: Partial<Caller> = {}, method = 'GET', res = new FakeResponse()) {
  setCaller(res as unknown as Response, { ...ALICE, ...caller });
  const asked = { res, outcome: 'waits' };
  const become = (outcome: string) => {
    asked.outcome = outcome;
  };
  const work = enter({ method } as Request, res as unknown as Response, () => become('runs'));
  void Promise.resolve(work).catch(({ code }: Problem) => become(code));
  return asked;
}
const settled = () => jest.advanceTimersByTimeAsync(0);
const outcomes = (all: readonly { outcome: string }[]) => all.map(({ outcome }) => outcome);

it('lets requests wait for their turn, and refuses those that find no place or wait too long', async () => {
  const all = Array.from({ length: 6 }, () => ask());
  await settled();
  expect(outcomes(all)).toEqual(['runs', 'runs', 'waits', 'waits', 'waits', 'concurrency_exceeded']);
  all[0]?.res.close(200);
  await settled();
  expect(outcomes(all).slice(2, 4)).toEqual(['runs', 'waits']);
  await jest.advanceTimersByTimeAsync(1500);
  all[1]?.res.close(200);
  await jest.advanceTimersByTimeAsync(500);
  expect(outcomes(all).slice(3)).toEqual(['runs', 'concurrency_exceeded', 'concurrency_exceeded']);
  expect(refused).toBe(2);
});

it('refuses waiting requests with 503 while no request is served', async () => {
  const all = Array.from({ length: 5 }, () => ask());
  all[0]?.res.close(503);
  all[1]?.res.close(); // the client disconnects
  await jest.advanceTimersByTimeAsync(2000);
  expect(outcomes(all).slice(2)).toEqual(['runs', 'runs', 'service_unavailable']);
  expect(refused).toBe(0);
});

it('frees the place of a client that has disconnected, and does not start its request', async () => {
  const [first, , gone, next] = [ask(), ask(), ask(), ask()];
  gone?.res.close();
  first?.res.close();
  await settled();
  expect(outcomes([gone, next])).toEqual(['waits', 'runs']);
  expect(refused).toBe(0);
});

it('gives no place to a client that disconnected while its request was counted', async () => {
  const gone = Array.from({ length: 3 }, () => new FakeResponse());
  for (const res of gone) res.close();
  const [first] = [ask(), ask(), ...gone.map((res) => ask({}, 'GET', res))];
  const next = ask();
  await settled();
  expect(next.outcome).toBe('waits');
  first?.res.close(200);
  await settled();
  expect(next.outcome).toBe('runs');
});

it('lets up to 50 requests that take rights away pass the queue at a time', async () => {
  const all = Array.from({ length: 6 }, () => ask());
  const passing = Array.from({ length: 50 }, () => ask({}, 'DELETE'));
  await settled();
  expect(new Set(outcomes(passing))).toEqual(new Set(['runs']));
  const further = ask({}, 'DELETE');
  await settled();
  expect(further.outcome).toBe('concurrency_exceeded');
  passing[0]?.res.close();
  expect(ask({}, 'DELETE').outcome).toBe('runs');
  expect(all[2]?.outcome).toBe('waits');
});

it('counts each organization separately, and each user without one', () => {
  const alone = { organizationId: undefined };
  for (let i = 0; i < 3; i += 1) ask();
  expect(ask({ organizationId: OrganizationId.parse('org_globex') }).outcome).toBe('runs');
  for (let i = 0; i < 2; i += 1) expect(ask(alone).outcome).toBe('runs');
  expect(ask(alone).outcome).toBe('waits');
  expect(ask({ ...alone, subject: UserId.parse('user_bob') }).outcome).toBe('runs');
  expect(ask({ ...alone, issuer: 'https://other.example' }).outcome).toBe('runs');
});
