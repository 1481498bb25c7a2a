import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { type Client, clientOf } from './testing/client.ts';
import {
  call,
  createOneOfEach,
  type DescribedCall,
  type Ids,
  operationsOf,
} from './testing/every-operation.ts';
import { Browser, createOnboardingScene, type OnboardingScene } from './testing/onboarding-scene.ts';

/** A caller of another organization, with every permission there */
const GLOBEX = { sub: 'user_mallory', roles: ['owner'], email: 'mallory@globex.example' };
const APPLICATION = 'https://app.example/';
/** Timeout of a test with a hundred requests in sequence */
const LONG_MS = 60_000;

let scene: OnboardingScene;
let operations: DescribedCall[];
let globex: Client;
let ofAcme: Ids;
let ofGlobex: Ids;
beforeAll(async () => {
  scene = await createOnboardingScene({ returnTo: [APPLICATION] });
  const { api } = scene;
  operations = operationsOf((await request(api.app).get('/api/openapi.json')).body);
  const acme = await clientOf(api, 'org_acme', { roles: ['owner'] });
  globex = await clientOf(api, 'org_globex', GLOBEX);
  ofAcme = { ...(await createOneOfEach(api, 'org_acme', acme)), session_id: await sessionOf('user_alice') };
  ofGlobex = {
    ...(await createOneOfEach(api, 'org_globex', globex)),
    session_id: await sessionOf(GLOBEX.sub),
  };
}, LONG_MS);
afterAll(() => scene.api.close());

async function sessionOf(sub: string): Promise<string> {
  const browser = new Browser(scene.api.app);
  const begun = await browser.get('/api/oauth/sign-in');
  const search = scene.idp.authorize(String(begun.headers.location), { sub, email_verified: true });
  const back = await browser.get(`/api/oauth/callback${search}`);
  return new URL(String(back.headers.location)).searchParams.get('session') ?? '';
}

/** Returns every row of the organization in all tables with an `organization_id`, and its sessions. */
const rowsOfAcme = () =>
  scene.api.database.asOwner(async (owner) => {
    const { rows: tables } = await owner.query(
      `SELECT format('%I', c.relname) AS name, CASE c.relname WHEN 'organizations' THEN 'id' ELSE a.attname END AS key
       FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = 'public'
       LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'organization_id'
       WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND (a.attname IS NOT NULL OR c.relname = 'organizations')
       ORDER BY 1`,
    );
    const dump: Record<string, unknown[]> = {};
    for (const { name, key } of tables) {
      const isOurs = name === 'onboarding_sessions' ? `user_id = 'user_alice'` : `${key} = 'org_acme'`;
      const { rows } = await owner.query(
        `SELECT to_jsonb(t) AS row FROM ${name} t WHERE ${isOurs} ORDER BY 1`,
      );
      dump[name] = rows.map(({ row }) => row);
    }
    return dump;
  });

/** Returns sets of ids: one with only foreign ids, and for each parameter one in which only that id is foreign. */
function mixtures({ parameterNames }: DescribedCall): Ids[] {
  const single = parameterNames.map((name) => ({ ...ofGlobex, [name]: ofAcme[name] ?? '' }));
  return parameterNames.length > 1 ? [ofAcme, ...single] : [ofAcme];
}

describe('another organization', () => {
  it(
    'finds nothing by our ids, in any operation, and changes none of our data',
    async () => {
      const before = await rowsOfAcme();
      const seen = Object.keys(before).filter((table) => before[table]?.length);
      expect(seen).toEqual(
        expect.arrayContaining([
          'sites',
          'agents',
          'connectors',
          'domains',
          'members',
          'site_agents',
          'audit_events',
        ]),
      );
      // Paths below /me concern the caller's own data.
      const addressed = operations.filter(
        ({ parameterNames, path }) => parameterNames.length > 0 && !path.startsWith('/me/'),
      );
      const found: string[] = [];
      for (const operation of addressed) {
        for (const ids of mixtures(operation)) {
          const answer = await call(globex, operation, ids);
          if (answer.status !== 404) found.push(`${operation.operationId}: ${answer.status} ${answer.text}`);
        }
      }
      expect(addressed.length).toBeGreaterThan(20);
      expect(found).toEqual([]);
      expect(await rowsOfAcme()).toEqual(before);
    },
    LONG_MS,
  );

  it('sees no data of the other organization in any list', async () => {
    const lists = operations.filter(
      ({ method, parameterNames, security }) =>
        method === 'get' && parameterNames.length === 0 && security.length > 0,
    );
    expect(lists.length).toBeGreaterThan(6);
    const leaks: string[] = [];
    for (const operation of lists) {
      const { status, text } = await call(globex, operation, {});
      const ours = Object.values(ofAcme).filter((id) => text.includes(id));
      if (status !== 200 || ours.length > 0) leaks.push(`${operation.operationId}: ${status} ${ours}`);
    }
    expect(leaks).toEqual([]);
  });

  it('can find its own resources in the same way', async () => {
    const reads = operations.filter(
      ({ method, parameterNames }) => method === 'get' && parameterNames.length > 0,
    );
    for (const operation of reads) {
      expect([operation.operationId, (await call(globex, operation, ofGlobex)).status]).toEqual([
        operation.operationId,
        200,
      ]);
    }
  });
});
