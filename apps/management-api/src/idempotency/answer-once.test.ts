import { expect, it } from '@jest/globals';
import { OrganizationId, UserId } from '@legate/ids';
import { createLogger, problemHandler } from '@legate/service';
import express from 'express';
import request from 'supertest';
import { setCaller } from '../authentication/caller-of-request.ts';
import { AuditEventId } from '../domain/ids.ts';
import { createAnswerOnce } from './answer-once.ts';

it('refuses a second request while the first one runs, without doing its work', async () => {
  let worked = 0;
  // A database in which another connection holds the lock
  const connection = { query: async () => [{ locked: false }] as never };
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
        defaultRole: null,
        roleSource: 'local',
      },
    };
    await answerOnce(req, res, req.body, async () => ({ status: 201, headers: {}, body: ++worked }));
  });
  app.use(problemHandler({ log: createLogger({ service: 'test', level: 'silent' }), typeBase: 'https://e' }));
  const answer = await request(app).post('/').set('Idempotency-Key', 'k');
  expect([answer.status, answer.body.code, answer.headers['retry-after'], worked]).toEqual([
    409,
    'idempotency_in_progress',
    '1',
    0,
  ]);
});
