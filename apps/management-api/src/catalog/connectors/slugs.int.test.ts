import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { auditTrailOf, type Client, clientOf } from '../../testing/client.ts';
import { createTestApi, type TestApi } from '../../testing/test-api.ts';

/** Slugs of connectors, with which the names of their tools at the hub begin. */

let api: TestApi;
let acme: Client;
let organization: string;
let count = 0;
beforeAll(async () => {
  api = await createTestApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  organization = `org_${++count}`;
  acme = await clientOf(api, organization, { roles: ['admin'] });
});

const create = (settings: object, client = acme) =>
  client('post', '/connectors', {
    resource_url: `https://tools-${++count}.example`,
    client_id: 'hub',
    secret: 'the-hubs-secret',
    ...settings,
  });
const made = async (settings: object) => (await create(settings)).body as { id: string; slug: string };
const code = (answer: { status: number; body: { code?: string } }) => [answer.status, answer.body.code];

describe('a slug', () => {
  it.each([
    ['Notes & Tasks', 'notes-tasks'],
    ['Büro-Kalender', 'buro-kalender'],
    ['3D printer', 'c-3d-printer'],
    ['日本語', 'tools'],
    ['MCP', 'mcp-2'],
    ['A name that is far too long for it', 'a-name-that-is-f'],
  ])('is derived from the name %s', async (name, slug) => {
    expect((await made({ name })).slug).toBe(slug);
  });

  it('is numbered if another connector has it, even a deleted one, until that is purged', async () => {
    const [first, second] = [await made({ name: 'Notes' }), await made({ name: 'Notes' })];
    await acme('delete', `/connectors/${first.id}`);
    const third = await made({ name: 'Notes' });
    expect([first.slug, second.slug, third.slug]).toEqual(['notes', 'notes-2', 'notes-3']);
    expect(code(await create({ name: 'x', slug: 'notes' }))).toEqual([409, 'slug_taken']);
    expect((await acme('post', `/connectors/${first.id}/restore`)).body.slug).toBe('notes');
    await acme('delete', `/connectors/${first.id}`);
    await acme('post', `/connectors/${first.id}/purge`);
    expect((await create({ name: 'x', slug: 'notes' })).body.slug).toBe('notes');
  });

  it('does not change with the name, and can be changed separately', async () => {
    const { id } = await made({ name: 'Notes' });
    expect((await acme('patch', `/connectors/${id}`, { name: 'Papers' })).body.slug).toBe('notes');
    const changed = await acme('patch', `/connectors/${id}`, { slug: 'papers' });
    expect([changed.status, changed.body.slug, changed.body.name]).toEqual([200, 'papers', 'Papers']);
    const updates = (await auditTrailOf(api, id)).filter(({ action }) => action === 'connector.updated');
    expect(updates.at(-1)?.changes).toEqual({ slug: { from: 'notes', to: 'papers' } });
  });

  it('is refused if another connector has it', async () => {
    await made({ name: 'Notes' });
    const { id } = await made({ name: 'Papers' });
    expect(code(await acme('patch', `/connectors/${id}`, { slug: 'notes' }))).toEqual([409, 'slug_taken']);
    expect((await acme('get', `/connectors/${id}`)).body.slug).toBe('papers');
  });

  it('may be used in two organizations', async () => {
    await made({ name: 'Notes' });
    const globex = await clientOf(api, `${organization}_b`, { roles: ['admin'] });
    expect((await create({ name: 'Notes' }, globex)).body.slug).toBe('notes');
  });

  it('differs for each of many connectors that are created concurrently', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => create({ name: 'Notes' })));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(201));
    expect(new Set(answers.map(({ body }) => body.slug)).size).toBe(8);
  });

  it.each([
    ['Notes', 'invalid_format'],
    ['notes_a', 'invalid_format'],
    ['notes.a', 'invalid_format'],
    ['1notes', 'invalid_format'],
    ['notes-', 'invalid_format'],
    ['a'.repeat(17), 'invalid_format'],
    ['', 'invalid_format'],
    ['hub', 'invalid_format'],
    [null, 'invalid_type'],
    [7, 'invalid_type'],
  ])('cannot be %j', async (slug, fault) => {
    const { id } = await made({ name: 'Notes' });
    for (const answer of [
      await create({ name: 'x', slug }),
      await acme('patch', `/connectors/${id}`, { slug }),
    ])
      expect([answer.status, answer.body.errors]).toEqual([
        400,
        [expect.objectContaining({ pointer: '/slug', code: fault })],
      ]);
  });
});
