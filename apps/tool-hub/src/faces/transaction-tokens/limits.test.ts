import { expect, it } from '@jest/globals';
import { tokenId } from '@legate/jwt';
import { decodeJwt } from 'jose';
import {
  BILLING,
  createTransactionScene,
  OTHER_TOOLS,
  OTHER_WORKLOAD,
  WORKLOAD,
} from '../../testing/transaction-scene.ts';

it('limits the tokens of a workload per minute, including refused ones, separately from other workloads', async () => {
  const scene = await createTransactionScene({ perMinute: 2 });
  const globex = { subject_token: await scene.accessToken({ organization_id: 'org_globex' }) };
  const statuses = [await scene.ask({ scope: 'unknown' }), await scene.ask(globex)].map(
    ({ status }) => status,
  );
  expect(statuses).toEqual([400, 200]);
  const initech = { subject_token: await scene.accessToken({ organization_id: 'org_initech' }) };
  const refused = await scene.ask(initech);
  expect([refused.status, refused.body.error]).toEqual([429, 'temporarily_unavailable']);
  expect(Number(refused.get('Retry-After'))).toBeGreaterThan(0);
  expect((await scene.ask(OTHER_WORKLOAD)).status).not.toBe(429);
});

it("lets no organization use up a workload's limit", async () => {
  const scene = await createTransactionScene({ perMinute: 4 });
  const statuses: number[] = [];
  for (let i = 0; i < 6; i += 1) statuses.push((await scene.ask()).status);
  expect(statuses).toEqual([200, 200, 429, 429, 429, 429]);
  const globex = await scene.accessToken({ organization_id: 'org_globex' });
  expect((await scene.ask({ subject_token: globex })).status).toBe(200);
});

it('limits an organization separately at each workload', async () => {
  const scene = await createTransactionScene({ perMinute: 2 });
  expect([(await scene.ask()).status, (await scene.ask()).status]).toEqual([200, 429]);
  const subject_token = await scene.accessToken({ iss: `${OTHER_TOOLS}/oauth/token`, aud: OTHER_TOOLS });
  const invoices = { ...OTHER_WORKLOAD, audience: BILLING, scope: 'invoices:list' };
  expect((await scene.ask({ ...invoices, subject_token })).status).toBe(200);
});

it('counts requests for unknown users only for their workload', async () => {
  const scene = await createTransactionScene({ perMinute: 4 });
  const statuses: number[] = [];
  for (let i = 0; i < 5; i += 1) statuses.push((await scene.ask({ subject_token: 'nonsense' })).status);
  expect(statuses).toEqual([400, 400, 400, 400, 429]);
});

it('also lets no organization use up the limit with refused requests', async () => {
  const scene = await createTransactionScene({ perMinute: 4 });
  const statuses: number[] = [];
  for (let i = 0; i < 4; i += 1) statuses.push((await scene.ask({ scope: 'unknown' })).status);
  expect(statuses).toEqual([400, 400, 429, 429]);
  const globex = await scene.accessToken({ organization_id: 'org_globex' });
  expect((await scene.ask({ subject_token: globex })).status).toBe(200);
});

it('does not count requests with a wrong secret for a workload', async () => {
  const scene = await createTransactionScene({ perMinute: 1 });
  expect((await scene.ask({ client_secret: 'wrong' })).status).toBe(401);
  expect((await scene.ask()).status).toBe(200);
});

it('counts the tokens and refusals of each workload', async () => {
  const scene = await createTransactionScene();
  await scene.ask();
  await scene.ask({ scope: 'unknown' });
  await scene.ask({ client_secret: 'wrong' });
  const metrics = await scene.metrics();
  for (const line of [
    `transaction_tokens_total{workload="${WORKLOAD.client_id}",outcome="issued",service="tool-hub"} 1`,
    `transaction_tokens_total{workload="${WORKLOAD.client_id}",outcome="invalid_scope",service="tool-hub"} 1`,
    'transaction_tokens_total{workload="",outcome="invalid_client",service="tool-hub"} 1',
  ])
    expect(metrics).toContain(line);
});

it('records a token with its workload, its user and its hash', async () => {
  const scene = await createTransactionScene();
  const subjectToken = await scene.accessToken();
  const answer = await scene.ask({ subject_token: subjectToken });
  const { txn } = decodeJwt(answer.body.access_token);
  expect(scene.noted()).toEqual([
    {
      id: expect.stringMatching(/^evt_[0-9A-Z]{26}$/),
      organization_id: 'org_acme',
      action: 'token.issued',
      occurred_at: scene.clock().toISOString(),
      actor: { type: 'system', id: WORKLOAD.client_id },
      targets: [],
      request_id: null,
      details: {
        ...{ user_id: 'user_alice', audience: 'https://api.example', operation: 'sites:list' },
        transaction_id: txn,
        transaction_token_hash: tokenId(answer.body.access_token),
        access_token_hash: tokenId(subjectToken),
      },
    },
  ]);
});
