import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createSigningKeys } from '@legate/jwt';
import { createToolServer, memoryOneTimeStore, type OneTimeStore, type ToolServerOptions } from './index.ts';

const SECRET = 'a-secret-that-is-long-enough-for-production';
const shared: OneTimeStore = { useOnce: async () => true };
const keys = await createSigningKeys({ alg: 'ES256', clock: () => new Date() });

let warned: string[];
const log = { info() {}, error() {}, warn: (_fields: object, message: string) => void warned.push(message) };
beforeEach(() => {
  warned = [];
});

const create = (change: Partial<ToolServerOptions> = {}) =>
  createToolServer({
    resource: 'https://tools.example',
    trustedIssuers: ['https://idp.example'],
    clients: [{ clientId: 'hub', secret: SECRET }],
    scopes: ['read'],
    log,
    ...change,
  });

/** `kid`s that a server publishes. */
async function published(change: Partial<ToolServerOptions>): Promise<string[]> {
  const toolServer = await create(change);
  const response = await toolServer.handle(new Request('https://tools.example/.well-known/jwks.json'));
  if (!response) throw new Error('not found');
  const { keys } = (await response.json()) as { keys: { kid: string }[] };
  return keys.map(({ kid }) => kid);
}

describe('in development', () => {
  it('a server starts with four options, and warns of both that end with the process', async () => {
    await create();
    expect(warned).toEqual([expect.stringContaining('signingKeys'), expect.stringContaining('oneTimeStore')]);
  });

  it('does not warn of what is given', async () => {
    await create({ signingKeys: keys, oneTimeStore: shared });
    await create({ signingKeys: keys, oneTimeStore: memoryOneTimeStore({ singleProcess: true }) });
    expect(warned).toEqual([]);
  });

  it('logs to the console if no log is given', async () => {
    const { warn } = console;
    const lines: unknown[][] = [];
    console.warn = (...line: unknown[]) => void lines.push(line);
    try {
      await create({ log: undefined, signingKeys: keys });
    } finally {
      console.warn = warn;
    }
    expect(lines).toEqual([[expect.stringContaining('oneTimeStore'), {}]]);
  });
});

describe('signingKeys', () => {
  const [kid] = keys.publicJwks().keys.map((key) => key.kid);

  it.each<[string, ToolServerOptions['signingKeys']]>([
    ['SigningKeys', keys],
    ['a private JWKS', keys.privateJwks()],
    ['the JSON text of one', JSON.stringify(keys.privateJwks())],
  ])('may be %s', async (_case, signingKeys) => {
    expect(await published({ signingKeys })).toEqual([kid]);
  });

  it('are new at each start if none are given', async () => {
    expect(await published({})).not.toEqual(await published({}));
  });

  it.each<[string, ToolServerOptions['signingKeys']]>([
    ['no JSON', 'the-secret-part'],
    ['public keys', JSON.stringify(keys.publicJwks())],
    ['an empty list', { keys: [] }],
    ['an empty text', ''],
  ])('are refused if they are %s, without a word of them', async (_case, signingKeys) => {
    await expect(create({ signingKeys })).rejects.toThrow(/^(?!.*the-secret-part)/);
  });
});

describe('in production', () => {
  const production = { production: true, signingKeys: keys, oneTimeStore: shared };

  it('starts with shared keys, a shared store and a long secret', async () => {
    await create(production);
    await create({ ...production, oneTimeStore: memoryOneTimeStore({ singleProcess: true }) });
    expect(warned).toEqual([]);
  });

  it.each<[string, Partial<ToolServerOptions>, string]>([
    ['no signing keys', { signingKeys: undefined }, 'signingKeys is required'],
    ['no store', { oneTimeStore: undefined }, 'oneTimeStore is required'],
    ['a store in memory', { oneTimeStore: memoryOneTimeStore() }, 'oneTimeStore is required'],
    ['a short secret', { clients: [{ clientId: 'hub', secret: 'short' }] }, '32 characters'],
  ])('does not start with %s', async (_case, change, message) => {
    await expect(create({ ...production, ...change })).rejects.toThrow(message);
  });

  describe('NODE_ENV', () => {
    const { NODE_ENV } = process.env;
    afterEach(() => {
      process.env.NODE_ENV = NODE_ENV;
    });

    it('says whether it is, unless the option does', async () => {
      process.env.NODE_ENV = 'production';
      await expect(create()).rejects.toThrow('signingKeys is required');
      await expect(create({ production: false })).resolves.toBeDefined();
    });
  });
});
