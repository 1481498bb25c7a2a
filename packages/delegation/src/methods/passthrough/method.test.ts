import { beforeEach, expect, it } from '@jest/globals';
import type { Connector } from '../../domain/connector.ts';
import { ALICE, connectorBy } from '../../testing/alice.ts';
import { createPassthroughMethod, type TokenForwarded } from './method.ts';
import type { PassthroughSettings } from './settings.ts';

const TOOLS = 'https://tools.example';

let forwarded: TokenForwarded[];
beforeEach(() => {
  forwarded = [];
});

/** @param audiences of the caller's token */
function delegate(
  audiences: readonly string[],
  acceptedAudiences: readonly string[] = [],
  change: Partial<Connector> = {},
) {
  const settings: PassthroughSettings = { method: 'passthrough', acceptedAudiences };
  const method = createPassthroughMethod({ onForwarded: (event) => void forwarded.push(event) });
  return method({ ...ALICE, audiences }, { ...connectorBy(settings), ...change }, settings, []);
}

it.each([
  ['is the resource', [TOOLS], []],
  ['is the resource with a slash', [`${TOOLS}/`], []],
  ['is an accepted one', ['frontend-app'], ['other-app', 'frontend-app']],
  ['is one of several', ['another', TOOLS], []],
])(
  "hands on the caller's own token once if its audience %s, and reports it",
  async (_case, audiences, accepted) => {
    expect(await delegate(audiences, accepted)).toEqual({
      outcome: 'granted',
      credential: {
        kind: 'access_token',
        method: 'passthrough',
        accessToken: ALICE.subjectToken,
        id: ALICE.subjectTokenId,
        expiresAt: undefined,
        scopes: [],
      },
    });
    expect(forwarded).toEqual([
      {
        organizationId: ALICE.organizationId,
        userId: ALICE.userId,
        connectorId: connectorBy({ method: 'passthrough', acceptedAudiences: [] }).id,
        to: TOOLS,
      },
    ]);
  },
);

it.each([
  ['another audience', ['frontend-app'], []],
  ['no audience', [], ['frontend-app']],
  ['an audience that only begins alike', [`${TOOLS}.evil.example`], []],
])('denies a token for %s', async (_case, audiences, accepted) => {
  expect(await delegate(audiences, accepted)).toMatchObject({
    outcome: 'denied',
    by: 'audience',
    scopes: [],
  });
  expect(forwarded).toEqual([]);
});

it.each(['https://evil.example/mcp', 'http://tools.example/mcp', 'https://tools.example:8443/mcp'])(
  'passes no token to %s, whose origin is not that of the resource',
  async (mcpUrl) => {
    expect(await delegate([TOOLS], [], { mcpUrl })).toMatchObject({ outcome: 'misconfigured' });
    expect(forwarded).toEqual([]);
  },
);
