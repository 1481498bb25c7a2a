import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ROOT } from '@legate/dev';
import { parseEncryptionKeys, seal } from '@legate/secure-store';
import { openRedis } from '@legate/secure-store/testing';
import { needs } from '@legate/testing';
import { Redis } from 'ioredis';

/**
 * Tests the command that replays audit events which were refused or could not be decrypted, as a process; identity
 * provider and management API are fakes in the test.
 */

const { describe, path } = needs('Redis');
const GOOD = '{"id":"evt_00000000000000000000000001"}';
const BAD = '{"id":"evt_00000000000000000000000002"}';
const SEALED = '{"id":"evt_00000000000000000000000003"}';
const SET_ASIDE = '{"id":"evt_00000000000000000000000004"}';
const LANE = '{audit}:sealed:done';
const newKey = (id: string): string => `${id}:${randomBytes(32).toString('base64')}`;
const [OLD, NEW] = [newKey('old'), newKey('new')];

describe('dist/replay-audit.js', () => {
  let directory: string;
  let store: Awaited<ReturnType<typeof openRedis>>;
  let redis: Redis;
  let peer: Server;
  let url: string;
  const posted: string[] = [];
  const keyPrefix = `e2e-${randomUUID()}:`;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'legate-replay-'));
    store = await openRedis(path.Redis);
    redis = new Redis(store.url, { keyPrefix });
    peer = createServer(async (req, res) => {
      const body = await text(req);
      const answers: Record<string, unknown> = {
        '/.well-known/openid-configuration': {
          issuer: url,
          token_endpoint: `${url}/token`,
          authorization_endpoint: `${url}/authorize`,
          jwks_uri: `${url}/jwks`,
          response_types_supported: ['code'],
        },
        '/token': { access_token: 'token', token_type: 'Bearer', expires_in: 300 },
      };
      res.setHeader('Content-Type', 'application/json');
      if (req.url !== '/internal/v1/audit-events') {
        res.end(JSON.stringify(answers[req.url ?? ''] ?? {}));
        return;
      }
      const { events } = JSON.parse(body) as { events: { id: string }[] };
      posted.push(...events.map(({ id }) => id));
      const refused = events.flatMap((event, index) =>
        JSON.stringify(event) === BAD
          ? [{ index, errors: [{ pointer: '/action', code: 'invalid_value', detail: 'is unknown' }] }]
          : [],
      );
      res.end(JSON.stringify({ accepted: events.length - refused.length, known: 0, refused }));
    }).listen(0, '127.0.0.1');
    await once(peer, 'listening');
    const address = peer.address();
    url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
    await writeFile(join(directory, 'connectors.json'), '{"connectors":[]}');
  });
  afterAll(async () => {
    await redis?.del('audit:refused');
    await redis?.del('{audit}:unreadable');
    redis?.disconnect();
    await store?.remove();
    peer?.close();
    await rm(directory, { recursive: true, force: true });
  });

  const replay = (encryptionKeys: string): Promise<{ code: number; output: string }> =>
    new Promise((resolve) => {
      const env = {
        PATH: process.env.PATH,
        IDP_ISSUER: url,
        IDP_CLIENT_ID: 'tool-hub',
        IDP_CLIENT_SECRET: 'a-secret',
        MANAGEMENT_API_URL: url,
        OUTBOUND_ALLOW: 'loopback',
        REDIS_URL: store.url,
        REDIS_KEY_PREFIX: keyPrefix,
        REDIS_COMMAND_TIMEOUT_MS: '5000',
        ENCRYPTION_KEYS: encryptionKeys,
      };
      execFile(
        process.execPath,
        [join(ROOT, 'apps/tool-hub/dist/replay-audit.js')],
        { env },
        (err, out, errors) =>
          resolve({ code: typeof err?.code === 'number' ? err.code : 0, output: `${out}${errors}` }),
      );
    });

  it('removes accepted events, exits with 1 if some are refused again, and with 0 when none is left', async () => {
    const [good, bad] = [GOOD, BAD].map((event) => seal(parseEncryptionKeys(NEW), 'audit:refused ', event));
    for (const sealed of [good, bad]) await redis.xadd('audit:refused', '*', 'sealed', sealed ?? '');
    const first = await replay(NEW);
    expect([first.code, first.output]).toEqual([
      1,
      expect.stringContaining('"taken":1,"refused":1,"unreadable":0'),
    ]);
    expect(first.output).toContain('/action invalid_value');
    expect(posted).toEqual([GOOD, BAD].map((event) => JSON.parse(event).id));
    const left = await redis.xrangeBuffer('audit:refused', '-', '+');
    expect(left.map(([, fields]) => fields[1])).toEqual([bad]);

    await redis.del('audit:refused');
    expect(await replay(NEW)).toMatchObject({ code: 0, output: expect.stringContaining('"taken":0') });
  });

  it('keeps undecryptable events with exit code 1, and sends them once the key is available again', async () => {
    const keys = parseEncryptionKeys(OLD);
    await redis.xadd('audit:refused', '*', 'sealed', seal(keys, 'audit:refused ', SEALED));
    const event = seal(keys, `${LANE} org_acme`, SET_ASIDE);
    await redis.xadd('{audit}:unreadable', '*', 'sealed', event, 'organization', 'org_acme', 'stream', LANE);
    posted.length = 0;
    const without = await replay(NEW);
    expect([without.code, without.output]).toEqual([
      1,
      expect.stringContaining('"taken":0,"refused":0,"unreadable":2'),
    ]);
    expect(posted).toEqual([]);

    const again = await replay(`${NEW},${OLD}`);
    expect([again.code, again.output]).toEqual([
      0,
      expect.stringContaining('"taken":2,"refused":0,"unreadable":0'),
    ]);
    expect(posted).toEqual([SEALED, SET_ASIDE].map((one) => JSON.parse(one).id));
    expect(await Promise.all(['audit:refused', '{audit}:unreadable'].map((key) => redis.xlen(key)))).toEqual([
      0, 0,
    ]);
  });
});
