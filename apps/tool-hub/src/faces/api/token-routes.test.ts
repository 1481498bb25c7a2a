import { beforeEach, expect, it } from '@jest/globals';
import { OrganizationId, UserId } from '@legate/ids';
import { createLogger, problemHandler } from '@legate/service';
import { createTestClock, START } from '@legate/service/testing';
import express, { type RequestHandler } from 'express';
import request from 'supertest';
import type { Caller } from '../../domain/caller.ts';
import { createConnectorRegistry } from '../../domain/registry.ts';
import { mountOperations } from './mount-operations.ts';
import { tokenOperations } from './token-routes.ts';

const NOW = START.getTime() / 1000;
const ALICE: Caller = {
  userId: UserId.parse('user_alice'),
  organizationId: OrganizationId.parse('org_acme'),
  subjectToken: 'token',
  subjectTokenId: 'hash-of-it',
  audiences: ['app'],
  authentication: { client: 'app' },
  signIn: { issuedAt: NOW - 60, expiresAt: NOW + 60 },
  origin: {
    endpoint: 'api',
    requestId: 'request-1',
    traceId: undefined,
    callerRequestId: undefined,
    callerTraceId: undefined,
    agentId: undefined,
    isAgentAuthenticated: false,
  },
};

let done: unknown[][];
let failing: string | undefined;
beforeEach(() => {
  done = [];
  failing = undefined;
});

function app(caller: Caller) {
  const act =
    (what: string) =>
    async (...args: unknown[]): Promise<void> => {
      if (failing === what) throw new Error('connection refused');
      done.push([what, ...args]);
    };
  const log = createLogger({ service: 'test', level: 'silent' });
  const registry = createConnectorRegistry([]);
  const operations = tokenOperations({
    registry: {
      ...registry,
      of: (id) => (failing === 'registry' ? Promise.reject(new Error('down')) : registry.of(id)),
    },
    delegations: {
      obtain: () => Promise.reject(new Error('not asked')),
      signOut: (_caller, connectors) => act('tokens')(connectors.length),
    },
    sessions: { endAll: act('sessions'), end: act('session') },
    recordUserAction: (...args) => void done.push(['user_action', ...args]),
    clock: createTestClock(),
  });
  const authenticate: RequestHandler = (_req, res, next) => {
    res.locals.caller = caller;
    next();
  };
  const built = express();
  mountOperations(built, operations, {
    cors: (_req, _res, next) => next(),
    begin: [authenticate],
    awaitCount: (_req, _res, next) => next(),
    refuseSignedOut: act('sign-outs read'),
    refused: [],
  });
  return built.use(problemHandler({ log, typeBase: 'https://docs.example' }));
}
const signOut = (caller = ALICE) => request(app(caller)).delete('/api/v1/tokens');
const HERE = { organizationId: 'org_acme', userId: 'user_alice' };

it("ends the caller's sessions and drops their tokens in this organization, and records it", async () => {
  expect((await signOut()).status).toBe(204);
  expect(done).toEqual([
    ['sessions', HERE, { signedOutAt: NOW - 5, tokenId: 'hash-of-it' }],
    ['tokens', 0],
    [
      'user_action',
      'session.signed_out',
      {
        ...HERE,
        requestId: 'request-1',
        details: { authorized_party: 'app', id_token_hash: 'hash-of-it' },
      },
    ],
  ]);
});

it.each([
  ['the issue time of an ID token that was just issued', NOW - 2, NOW - 2],
  ['five seconds ago, where the ID token is older', NOW - 5, NOW - 5],
  ['the time of an ID token of a clock that is ahead', NOW + 3, NOW + 3],
])('ends ID tokens by %s', async (_case, issuedAt, signedOutAt) => {
  await signOut({ ...ALICE, signIn: { issuedAt, expiresAt: NOW + 60 } });
  expect(done[0]).toEqual(['sessions', HERE, { signedOutAt, tokenId: 'hash-of-it' }]);
});

it('ends the session of the caller last', async () => {
  await signOut({ ...ALICE, signIn: undefined, session: { key: 'session:1' } });
  expect(done.at(-1)).toEqual(['session', { key: 'session:1' }]);
});

it('drops tokens even while the list of connectors is unavailable', async () => {
  failing = 'registry';
  expect((await signOut()).status).toBe(204);
  expect(done[1]).toEqual(['tokens', 0]);
});

it('returns an error while the tokens cannot be dropped', async () => {
  failing = 'tokens';
  const res = await signOut();
  expect([res.status, res.body.code, res.get('Retry-After')]).toEqual([503, 'token_store_unavailable', '5']);
});

it('refuses any other method with 405', async () => {
  const res = await request(app(ALICE)).get('/api/v1/tokens');
  expect([res.status, res.get('Allow')]).toEqual([405, 'DELETE']);
});
