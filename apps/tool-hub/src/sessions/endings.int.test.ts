import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { connectRedis } from '@legate/secure-store';
import { createLogger } from '@legate/service';
import type { Express } from 'express';
import type { Redis } from 'ioredis';
import request from 'supertest';
import { type Announcements, listenForAnnouncements } from '../revocations/announcements.ts';
import { type AgentsScene, createAgentsScene } from '../testing/agents-scene.ts';
import { scriptedMcp } from '../testing/scripted-mcp.ts';

/** Two hubs: the agent's call runs at the one, and the end comes to the other. */
const url = process.env.TEST_REDIS_URL;
const CHANNELS = ['this process', ...(url ? ['Redis'] : [])];

let scene: AgentsScene;
let otherHub: Express;
let redis: Redis | undefined;
let announcements: Announcements | undefined;
/** The tool server's side of the calls that run */
let cut: Promise<void>[];

async function begin(channel: string): Promise<void> {
  cut = [];
  scene = await createAgentsScene();
  otherHub = scene.replica({});
  scene.toolServer.misbehaviour = {
    mcp: scriptedMcp({
      'tools/call': ({ params, event, res }) => {
        cut.push(new Promise((resolve) => res.once('close', resolve)));
        event({
          method: 'notifications/progress',
          params: { progressToken: params._meta?.progressToken, progress: 1 },
        });
        return undefined;
      },
    }),
  };
  if (channel !== 'Redis' || !url) return;
  redis = await connectRedis(url, { onError: () => undefined });
  announcements = await listenForAnnouncements(redis, {
    channel: `test-${randomUUID()}:sessions-ended`,
    onAnnounced: scene.ends.hear,
    onMissed: () => undefined,
    log: createLogger({ service: 'test', level: 'silent' }),
  });
  scene.ends.announce = announcements.announce;
}

afterEach(async () => {
  announcements?.close();
  redis?.disconnect();
  announcements = redis = undefined;
  await scene.stop();
});

async function openSession(claims: Record<string, unknown> = {}): Promise<string> {
  const { idToken, refreshToken } = await scene.idp.signIn({ sub: 'user_alice', sid: 's1', ...claims });
  const opened = await request(scene.app)
    .post('/api/v1/sessions')
    .set('Authorization', `Bearer ${idToken}`)
    .send({ refresh_token: refreshToken })
    .expect(201);
  return opened.body.session;
}

/** A call that the tool server never answers, and of which the agent has seen the first progress. */
async function startCall(token: string) {
  const params = { name: 'con_tools.x', _meta: { progressToken: 1 } };
  const answer = await scene.post(
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
    { token, headers: { 'MCP-Protocol-Version': '2025-11-25' } },
  );
  const reader = answer.body?.getReader();
  if (!reader) throw new Error('no stream');
  expect(new TextDecoder().decode((await reader.read()).value)).toContain('notifications/progress');
  let isOver = false;
  const over = (async () => {
    while (!(await reader.read()).done);
    isOver = true;
  })();
  over.catch(() => undefined); // cut off at the end of the test
  return { over, isOver: () => isOver };
}

const sendFrom = (token: string) => (path: string) =>
  request(otherHub).delete(path).set('Authorization', `Bearer ${token}`).expect(204);

async function logOut(claims: Record<string, unknown>): Promise<void> {
  const token = await scene.idp.mintIdToken(
    {
      jti: randomUUID(),
      exp: scene.clock().getTime() / 1000 + 60,
      events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
      ...claims,
    },
    { typ: 'logout+jwt' },
  );
  await request(otherHub)
    .post('/oauth/backchannel-logout')
    .type('form')
    .send({ logout_token: token })
    .expect(200);
}

describe.each(CHANNELS)('a running call, with ends told over %s,', (channel) => {
  beforeEach(() => begin(channel));

  it.each<[string, (session: string) => Promise<unknown>]>([
    ['his session is ended', async (session) => sendFrom(session)('/api/v1/sessions/current')],
    ['he signs out', async (session) => sendFrom(session)('/api/v1/tokens')],
    ['the identity provider ends the sign-in', () => logOut({ sid: 's1' })],
    ['the identity provider ends all of the user', () => logOut({ sub: 'user_alice' })],
  ])('ends when %s at another hub, at the tool server too', async (what, end) => {
    const session = await openSession();
    const bobs = await startCall(await openSession({ sub: 'user_bob', sid: 's2' }));
    const alices = await startCall(session);
    const started = performance.now();
    await end(session);
    await alices.over;
    await cut[1];
    process.stdout.write(
      `stream ended ${(performance.now() - started).toFixed(0)} ms after: ${what} (${channel})\n`,
    );
    expect(bobs.isOver()).toBe(false);
  });

  it('ends for a caller with an ID token when he signs out', async () => {
    const idToken = await scene.idTokenOf('user_alice');
    const running = await startCall(idToken);
    await sendFrom(idToken)('/api/v1/tokens');
    await running.over;
  });
});

describe('a running call of which the end is not heard', () => {
  beforeEach(async () => {
    await begin('this process');
    scene.ends.announce = async () => undefined;
  });

  it.each([
    ['a session', () => openSession()],
    ['an ID token', () => scene.idTokenOf('user_alice')],
  ])('ends at the next look, by %s', async (_case, tokenOf) => {
    const token = await tokenOf();
    const alices = await startCall(token);
    const bobs = await startCall(await scene.idTokenOf('user_bob'));
    await scene.ends.recheck();
    expect(alices.isOver()).toBe(false);
    await logOut({ sub: 'user_alice' });
    expect(alices.isOver()).toBe(false);
    await scene.ends.recheck();
    await alices.over;
    expect(bobs.isOver()).toBe(false);
  });
});
