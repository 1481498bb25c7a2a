import { expect, it } from '@jest/globals';
import { OrganizationId, UserId } from '@legate/ids';
import { createLogger, problemHandler } from '@legate/service';
import express from 'express';
import request from 'supertest';
import { setCaller } from '../../callers/authentication/caller-of-request.ts';
import { AuditEventId } from '../../domain/ids.ts';
import { createAnswerOnce } from './answer-once.ts';

type Query = (statement: { name: string; values: readonly unknown[] }) => object[];

/** Creates an application whose POST / calls `work` once, with a database that responds with `query`. */
function appWith(query: Query, work: () => unknown, secrets: readonly string[] = []) {
  const connection = { query: async (statement: unknown) => query(statement as never) as never };
  const answerOnce = createAnswerOnce({
    clock: () => new Date(1_790_000_000_000),
    makeChange: (_author, work) =>
      work({
        organizationId: OrganizationId.parse('org_a'),
        connection,
        record: async () => AuditEventId.parse('evt_a'),
      }),
  });
  const app = express();
  app.post('/', async (req, res) => {
    setCaller(res, {
      issuer: 'i',
      subject: UserId.parse('s'),
      organizationId: OrganizationId.parse('org_a'),
      email: undefined,
      name: undefined,
      roles: undefined,
      scope: undefined,
      credential: { kind: 'access_token', clientId: null, tokenId: null },
    });
    const plan = { name: 'free', requestsPerMinute: null } as const;
    res.locals.admission = {
      organization: {
        id: OrganizationId.parse('org_a'),
        name: 'Acme',
        plan,
        status: 'active',
        purgeAt: null,
        defaultRole: null,
        roleSource: 'local',
      },
    };
    const answer = async () => ({ status: 201, headers: {}, body: work() });
    const { status, body } = await answerOnce(req, res, req.body, answer, secrets);
    res.status(status).json(body);
  });
  app.use(problemHandler({ log: createLogger({ service: 'test', level: 'silent' }), typeBase: 'https://e' }));
  return app;
}

it('refuses a second request while the first one runs, without executing it', async () => {
  let worked = 0;
  const app = appWith(
    () => [{ locked: false }], // another connection holds the lock
    () => ++worked,
  );
  const answer = await request(app).post('/').set('Idempotency-Key', 'k');
  expect([answer.status, answer.body.code, answer.headers['retry-after'], worked]).toEqual([
    409,
    'idempotency_in_progress',
    '1',
    0,
  ]);
});

it('does not store the secrets of a response', async () => {
  const saved: unknown[] = [];
  const app = appWith(
    ({ name, values }) => {
      if (name === 'idempotency_save') saved.push(...values);
      return [{ locked: true, reserved: true }];
    },
    () => ({ id: 'key_a', key: 'lgt_secret' }),
    ['key'],
  );
  const { body } = await request(app).post('/').set('Idempotency-Key', 'k');
  expect(body).toEqual({ id: 'key_a', key: 'lgt_secret' });
  expect(saved).toHaveLength(4);
  expect(JSON.parse(String(saved[3]))).toMatchObject({ answer: { body: { id: 'key_a', key: null } } });
});
