import { expect, it } from '@jest/globals';
import { createFindClient } from './find-client.ts';
import type { OAuthClient } from './oauth-client.ts';

const client = (clientId: string): OAuthClient => ({
  clientId,
  name: undefined,
  redirectUris: ['https://agent.example/'],
  vouchedBy: { kind: 'operator' },
  secretHashes: [],
  isPublic: true,
});
const only = (clientId: string) => (id: string) => (id === clientId ? client(`found ${id}`) : undefined);
const registered = new Map([['desk', client('desk')]]);
const TOKEN = { kind: 'token' } as const;

it.each([
  ['desk', 'desk'],
  ['lcd_x', 'found lcd_x'],
  ['lac_x', 'found lac_x'],
  ['https://a.example/b', 'found https://a.example/b'],
  ['other', undefined],
])('finds %s if all kinds of clients are allowed', async (id, expected) => {
  const find = createFindClient({
    registered,
    agents: { find: async (asked) => only('lac_x')(asked) },
    dynamic: { find: only('lcd_x') },
    documents: { find: async (asked) => only('https://a.example/b')(asked) },
  });
  expect((await find(id, TOKEN))?.clientId).toBe(expected);
});

it.each(['lcd_x', 'https://a.example/b'])(
  'finds no %s if only registered clients are allowed',
  async (id) => {
    const find = createFindClient({
      registered,
      agents: undefined,
      dynamic: undefined,
      documents: undefined,
    });
    expect(await find(id, TOKEN)).toBeUndefined();
  },
);
