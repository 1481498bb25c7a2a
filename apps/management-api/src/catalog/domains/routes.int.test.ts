import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { pageOf } from '@legate/pagination';
import { createRateLimiter } from '@legate/rate-limit';
import { runs } from '@legate/testing';
import fc from 'fast-check';
import { auditTrailOf, type Client, clientOf } from '../../testing/client.ts';
import { startDnsServer, type TestAnswer, type TestDnsServer } from '../../testing/dns-server.ts';
import { createTestApi, type TestApi } from '../../testing/test-api.ts';
import { Domain } from './domain.ts';
import { createTxtLookup } from './txt-lookup.ts';

const ADMIN = { roles: ['admin'], email: 'alice@acme.example' };

let dns: TestDnsServer;
let api: TestApi;
let acme: Client;
let globex: Client;
/** Names with their TXT records, or the error of the DNS */
const zone = new Map<string, readonly string[] | 'SERVFAIL'>();

function answer(name: string): TestAnswer {
  const records = zone.get(name);
  if (records === undefined) return { rcode: 'NXDOMAIN' };
  if (records === 'SERVFAIL') return { rcode: records };
  return { answers: records.map((data) => ({ type: 'TXT', name, data })) };
}

beforeAll(async () => {
  dns = await startDnsServer(answer);
  api = await createTestApi({
    lookupTxt: createTxtLookup({ servers: [dns.address] }),
    quotas: { domains: 5 },
  });
  acme = await clientOf(api, 'org_acme', ADMIN);
  globex = await clientOf(api, 'org_globex', ADMIN);
});
afterAll(async () => {
  await api.close();
  await dns.close();
});
beforeEach(async () => {
  zone.clear();
  await api.database.asOwner((owner) => owner.query('DELETE FROM domains'));
});

const add = async (client: Client, domain: string): Promise<Domain> => {
  const added = await client('post', '/domains', { domain });
  expect([added.status, added.body.code]).toEqual([201, undefined]);
  return added.body;
};
const prove = ({ verification: { name, value } }: Domain) => {
  const records = zone.get(name);
  zone.set(name, [...(Array.isArray(records) ? records : []), value]);
};
const verify = (client: Client, { id }: Domain) => client('post', `/domains/${id}/verify`);

async function addVerified(client: Client, domain: string): Promise<Domain> {
  const added = await add(client, domain);
  prove(added);
  const verified = await verify(client, added);
  expect([verified.status, verified.body.state]).toEqual([200, 'verified']);
  return verified.body;
}

describe('adding a domain', () => {
  it('returns the record to create, and is recorded in the audit trail', async () => {
    const added = await acme('post', '/domains', { domain: ' Bücher.EXAMPLE ' });
    expect([added.status, added.headers.etag]).toEqual([201, '"1"']);
    const domain = Domain.parse(added.body);
    expect(added.headers.location).toBe(`/api/v1/domains/${domain.id}`);
    expect(domain).toMatchObject({ domain: 'xn--bcher-kva.example', state: 'pending', verified_at: null });
    expect(domain.verification).toEqual({
      type: 'TXT',
      name: '_mgmt-challenge.xn--bcher-kva.example',
      value: expect.stringMatching(/^[0-9a-f]{40}$/),
    });
    expect(domain.id).toMatch(/^dom_[0-9A-HJKMNP-TV-Z]{26}$/);
    expect(await auditTrailOf(api, domain.id)).toMatchObject([
      {
        action: 'domain.added',
        actor: { type: 'user', id: 'user_alice', email: 'alice@acme.example' },
        targets: [{ type: 'domain', id: domain.id, name: 'xn--bcher-kva.example' }],
        changes: {
          domain: { from: null, to: 'xn--bcher-kva.example' },
          state: { from: null, to: 'pending' },
        },
      },
    ]);
  });

  it.each([
    ['the domain of a public mail provider', 'gmail.com', 'domain_public_provider'],
    ['the domain of disposable addresses', 'mailinator.com', 'domain_public_provider'],
    ['a public suffix', 'co.uk', 'invalid_format'],
    ['an address', '127.0.0.1', 'invalid_format'],
    ['a single label', 'localhost', 'invalid_format'],
    ['what leaves no room for the challenge', `${'a.'.repeat(120)}com`, 'too_long'],
    ['a long text', 'a'.repeat(1001), 'too_long'],
    ['a number', 7, 'invalid_type'],
    ['nothing', undefined, 'required'],
  ])('refuses %s', async (_case, domain, code) => {
    const refused = await acme('post', '/domains', { domain });
    expect([refused.status, refused.body.code]).toEqual([400, 'validation_failed']);
    expect(refused.body.errors).toEqual([{ pointer: '/domain', code, detail: expect.any(String) }]);
  });

  it('gives every domain a different value', async () => {
    const values = [await add(acme, 'one.com'), await add(acme, 'two.com'), await add(globex, 'one.com')];
    expect(new Set(values.map(({ verification }) => verification.value)).size).toBe(3);
  });

  it('refuses a domain that the organization has already, in any spelling and state', async () => {
    const added = await add(acme, 'acme.com');
    const again = () => acme('post', '/domains', { domain: 'ACME.com' });
    expect((await again()).body.code).toBe('domain_already_added');
    prove(added);
    await verify(acme, added);
    const refused = await again();
    expect([refused.status, refused.body.code]).toEqual([409, 'domain_already_added']);
  });

  it('refuses one of two concurrent requests', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => acme('post', '/domains', { domain: 'acme.com' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect((await acme('get', '/domains')).body.pagination.total).toBe(1);
  });

  it('refuses to verify a domain whose holder still has the record, and reveals nothing else', async () => {
    const { id } = await addVerified(globex, 'acme.com');
    const own = await add(acme, 'acme.com');
    prove(own);
    const refused = await verify(acme, own);
    expect([refused.status, refused.body.code]).toEqual([409, 'domain_verified_elsewhere']);
    expect(JSON.stringify(refused.body)).not.toMatch(new RegExp(`${id}|globex|constraint|index`));
    expect((await globex('get', `/domains/${id}`)).body.state).toBe('verified');
  });

  it('takes a domain at once from a holder whose record is gone, and records that in the holder’s audit trail', async () => {
    const held = await addVerified(globex, 'acme.com');
    const own = await add(acme, 'acme.com');
    zone.set(held.verification.name, []);
    prove(own);
    expect((await verify(acme, own)).body.state).toBe('verified');
    expect((await globex('get', `/domains/${held.id}`)).body.state).toBe('failed');
    expect((await auditTrailOf(api, held.id)).map(({ action }) => action)).toContain('domain.failed');
  });

  it('takes a domain from a deleted organization, whatever the DNS returns', async () => {
    const holder = await clientOf(api, 'org_leaving', { roles: ['owner'] });
    await addVerified(holder, 'acme.com');
    const own = await add(acme, 'acme.com');
    prove(own);
    const { name } = (await holder('get', '/organization')).body;
    expect((await holder('delete', `/organization?confirm=${encodeURIComponent(name)}`)).status).toBe(202);
    expect((await verify(acme, own)).body.state).toBe('verified');
  });

  it('verifies a domain that another organization has only added', async () => {
    await add(globex, 'acme.com');
    await add(acme, 'acme.com');
  });

  it('adds a domain once with an Idempotency-Key, and repeats a refusal', async () => {
    const [key, other] = [{ 'Idempotency-Key': 'add-1' }, { 'Idempotency-Key': 'add-2' }];
    const first = await acme('post', '/domains', { domain: 'acme.com' }, key);
    const second = await acme('post', '/domains', { domain: 'acme.com' }, key);
    expect([second.status, second.headers['idempotent-replayed'], second.body]).toEqual([
      201,
      'true',
      first.body,
    ]);
    const refused = await acme('post', '/domains', { domain: 'acme.com' }, other);
    const again = await acme('post', '/domains', { domain: 'acme.com' }, other);
    expect([refused.status, again.status, again.headers['idempotent-replayed']]).toEqual([409, 409, 'true']);
  });

  it('refuses domains beyond the quota, even with concurrent requests', async () => {
    const answers = await Promise.all(
      [1, 2, 3, 4, 5, 6, 7].map((i) => acme('post', '/domains', { domain: `acme${i}.com` })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 201, 201, 409, 409]);
    expect(answers.filter(({ body }) => body.code === 'quota_exceeded')).toHaveLength(2);
  });
});

describe('verifying a domain', () => {
  it('verifies the domain if the DNS has its record, even among others', async () => {
    const added = await add(acme, 'acme.com');
    zone.set(added.verification.name, ['something else', added.verification.value]);
    const verified = await verify(acme, added);
    expect([verified.status, verified.headers.etag]).toEqual([200, '"2"']);
    expect(Domain.parse(verified.body)).toMatchObject({
      id: added.id,
      state: 'verified',
      verified_at: api.now().toISOString(),
      verification: added.verification,
    });
    expect(dns.questions.at(-1)).toBe('_mgmt-challenge.acme.com');
    expect((await acme('get', `/domains/${added.id}`)).body).toEqual(verified.body);
    expect((await auditTrailOf(api, added.id)).at(-1)).toMatchObject({
      action: 'domain.verified',
      actor: { type: 'user', id: 'user_alice' },
      changes: { state: { from: 'pending', to: 'verified' } },
    });
  });

  it.each([
    ['absent', undefined],
    ['empty', []],
    ['another one', ['0'.repeat(40)]],
  ])('leaves it pending while the record is %s', async (_case, records) => {
    const added = await add(acme, 'acme.com');
    if (records) zone.set(added.verification.name, records);
    const answered = await verify(acme, added);
    expect([answered.status, answered.body]).toEqual([200, added]);
    expect(await auditTrailOf(api, added.id)).toHaveLength(1);
  });

  it('changes and records nothing if the domain was verified before', async () => {
    const verified = await addVerified(acme, 'acme.com');
    api.advanceSeconds(60);
    expect((await verify(acme, verified)).body).toEqual(verified);
    zone.clear();
    expect((await verify(acme, verified)).body).toEqual(verified);
    expect(await auditTrailOf(api, verified.id)).toHaveLength(2);
  });

  it('verifies a domain that has failed', async () => {
    const { id, ...verified } = await addVerified(acme, 'acme.com');
    await api.database.asOwner((owner) =>
      owner.query("UPDATE domains SET state = 'failed', verified_at = NULL, check_at = NULL WHERE id = $1", [
        id,
      ]),
    );
    zone.clear();
    expect((await verify(acme, { id, ...verified })).body.state).toBe('failed');
    prove({ id, ...verified });
    expect((await verify(acme, { id, ...verified })).body.state).toBe('verified');
  });

  it('returns 503 while the DNS fails, and does not change the domain', async () => {
    const added = await add(acme, 'acme.com');
    zone.set(added.verification.name, 'SERVFAIL');
    const failed = await verify(acme, added);
    expect([failed.status, failed.body.code]).toEqual([503, 'service_unavailable']);
    expect(failed.headers['retry-after']).toBe('30');
    expect(JSON.stringify(failed.body)).not.toMatch(/SERVFAIL|127\.0\.0\.1/);
    expect((await acme('get', `/domains/${added.id}`)).body).toEqual(added);
  });

  it('gives the domain to the first of two organizations that can both prove it', async () => {
    const both = [await add(acme, 'shared.com'), await add(globex, 'shared.com')] as const;
    both.forEach(prove);
    const answers = await Promise.all([verify(acme, both[0]), verify(globex, both[1])]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused?.body.code).toBe('domain_verified_elsewhere');
    const states = await Promise.all([acme('get', '/domains'), globex('get', '/domains')]);
    expect(states.map(({ body }) => body.data[0].state).sort()).toEqual(['pending', 'verified']);
  });

  it('gives the domain to another organization when the first one has removed it', async () => {
    const first = await addVerified(acme, 'moving.com');
    expect((await acme('delete', `/domains/${first.id}`)).status).toBe(204);
    await addVerified(globex, 'moving.com');
  });

  it('queries the DNS at most ten times a minute for an organization', async () => {
    const limited = await createTestApi({
      beside: api,
      limiter: createRateLimiter({ clock: () => api.now() }),
      lookupTxt: createTxtLookup({ servers: [dns.address] }),
    });
    try {
      const first = await clientOf(limited, 'org_first', ADMIN);
      const second = await clientOf(limited, 'org_second', ADMIN);
      const [ofFirst, ofSecond] = [await add(first, 'first.com'), await add(second, 'second.com')];
      for (let i = 0; i < 10; i++) expect((await verify(first, ofFirst)).status).toBe(200);
      const asked = dns.questions.length;
      const refused = await verify(first, ofFirst);
      expect([refused.status, refused.body.code]).toEqual([429, 'rate_limit_exceeded']);
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
      expect(refused.headers['x-ratelimit-limit']).toBe('60');
      expect(dns.questions).toHaveLength(asked);
      expect((await verify(second, ofSecond)).status).toBe(200);
    } finally {
      await limited.close();
    }
  });
});

describe('existing domains', () => {
  it('are listed oldest first, or in the requested order, page by page', async () => {
    for (const name of ['b.com', 'c.com', 'a.com']) await add(acme, name);
    const names = async (query: string) => {
      const page = await acme('get', `/domains?${query}`);
      return pageOf(Domain)
        .parse(page.body)
        .data.map(({ domain }) => domain);
    };
    expect(await names('')).toEqual(['b.com', 'c.com', 'a.com']);
    expect(await names('sort=-created_at')).toEqual(['a.com', 'c.com', 'b.com']);
    expect(await names('sort=domain&limit=2')).toEqual(['a.com', 'b.com']);
    expect(await names('sort=-domain&limit=2&offset=2')).toEqual(['a.com']);
    const past = await acme('get', '/domains?offset=5');
    expect(past.body).toEqual({ data: [], pagination: { total: 3, limit: 20, offset: 5, has_more: false } });
    expect((await acme('get', '/domains?state=pending')).body.code).toBe('unknown_parameter');
  });

  it('have an ETag that If-None-Match and If-Match compare', async () => {
    const added = await add(acme, 'acme.com');
    const path = `/domains/${added.id}`;
    expect((await acme('get', path, undefined, { 'If-None-Match': '"1"' })).status).toBe(304);
    prove(added);
    await verify(acme, added);
    expect((await acme('get', path, undefined, { 'If-None-Match': '"1"' })).status).toBe(200);
    const stale = await acme('delete', path, undefined, { 'If-Match': '"1"' });
    expect([stale.status, stale.body.code, stale.headers.etag]).toEqual([412, 'version_mismatch', '"2"']);
    expect((await acme('delete', path, undefined, { 'If-Match': '"2"' })).status).toBe(204);
  });

  it('are removed permanently, and must be proved by another record if they are added again', async () => {
    const before = await addVerified(acme, 'acme.com');
    expect((await acme('delete', `/domains/${before.id}`)).status).toBe(204);
    expect((await acme('delete', `/domains/${before.id}`)).status).toBe(404);
    expect((await auditTrailOf(api, before.id)).at(-1)).toMatchObject({ action: 'domain.removed' });
    const after = await add(acme, 'acme.com');
    expect(after.verification.value).not.toBe(before.verification.value);
    expect((await verify(acme, after)).body.state).toBe('pending');
  });

  it('are not found by another organization', async () => {
    const { id } = await add(acme, 'acme.com');
    for (const [method, path] of [
      ['get', `/domains/${id}`],
      ['delete', `/domains/${id}`],
      ['post', `/domains/${id}/verify`],
    ] as const) {
      expect((await globex(method, path)).status).toBe(404);
    }
    expect((await acme('get', `/domains/${id}`)).status).toBe(200);
  });

  it('can be read by all members, and changed by administrators', async () => {
    const added = await add(acme, 'acme.com');
    const developer = await clientOf(api, 'org_acme', { sub: 'user_dev', roles: ['developer'] });
    expect((await developer('get', '/domains')).status).toBe(200);
    expect((await developer('get', `/domains/${added.id}`)).status).toBe(200);
    for (const answered of [
      await developer('post', '/domains', { domain: 'dev.com' }),
      await developer('delete', `/domains/${added.id}`),
      await verify(developer, added),
    ]) {
      expect([answered.status, answered.body.required_scope]).toEqual([403, 'domains:write']);
    }
  });
});

describe('for any input', () => {
  const anyDomain = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 80 }),
    fc.domain(),
    fc.webUrl(),
    fc.ipV4(),
    fc.ipV6(),
    fc.constantFrom('xn--', 'a.xn--', '。。', 'a\u00ad.com', 'İ.com', '__proto__', 'constructor.prototype'),
  );

  it('a domain is accepted or refused', async () => {
    await fc.assert(
      fc.asyncProperty(anyDomain, async (domain) => {
        const answered = await acme('post', '/domains', { domain });
        if (answered.status === 201) {
          expect((await acme('delete', `/domains/${Domain.parse(answered.body).id}`)).status).toBe(204);
        } else expect(answered.status).toBe(400);
      }),
      runs(50),
    );
  });

  it('a body, query or id gets a response other than 5xx', async () => {
    const anyText = fc.string({ unit: 'binary', maxLength: 40 });
    const hex = (text: string) => Buffer.from(text).toString('hex').replaceAll(/../g, '%$&');
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), anyText, anyText, async (body, key, value) => {
        for (const answered of [
          await acme('post', '/domains', JSON.stringify(body), { 'Content-Type': 'application/json' }),
          await acme('get', `/domains?${hex(key)}=${hex(value)}`),
          await acme('get', `/domains/x${hex(key)}`),
          await acme('post', `/domains/x${hex(key)}/verify`),
          await acme('delete', `/domains/x${hex(key)}`),
        ]) {
          expect(answered.status).toBeLessThan(500);
        }
      }),
      runs(15),
    );
  });
});
