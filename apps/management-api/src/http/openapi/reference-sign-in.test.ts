import { expect, it, jest } from '@jest/globals';
import { createReferenceSignIn } from './reference-sign-in.ts';

const ISSUER = 'https://idp.example';
const METADATA = {
  issuer: ISSUER,
  authorization_endpoint: `${ISSUER}/authorize`,
  token_endpoint: 'https://tokens.example/token',
};

function setUp(documents: unknown[]) {
  const left = [...documents];
  const getJson = jest.fn(async (_url: string) => {
    const document = left.shift();
    if (document instanceof Error) throw document;
    return document;
  });
  const log = { warn: jest.fn() };
  let seconds = 0;
  const readSignIn = createReferenceSignIn({
    clientId: 'api-reference',
    issuer: ISSUER,
    getJson,
    clock: () => new Date(seconds * 1000),
    log,
  });
  return {
    readSignIn,
    getJson,
    log,
    pass: (by: number) => {
      seconds += by;
    },
  };
}

const FOUND = {
  clientId: 'api-reference',
  authorizationUrl: `${ISSUER}/authorize`,
  tokenUrl: 'https://tokens.example/token',
};

it('reads the endpoints once an hour', async () => {
  const { readSignIn, getJson, pass } = setUp([METADATA, { ...METADATA, token_endpoint: `${ISSUER}/new` }]);
  expect(await Promise.all([readSignIn(), readSignIn()])).toEqual([FOUND, FOUND]);
  pass(3599);
  expect(await readSignIn()).toEqual(FOUND);
  expect(getJson.mock.calls).toEqual([[`${ISSUER}/.well-known/openid-configuration`]]);
  pass(1);
  expect(await readSignIn()).toEqual({ ...FOUND, tokenUrl: `${ISSUER}/new` });
});

it.each([
  ['cannot be read', new Error('down')],
  ['speaks for another issuer', { ...METADATA, issuer: 'https://other.example' }],
  ['has no authorization endpoint', { ...METADATA, authorization_endpoint: undefined }],
])('offers no sign-in if the metadata %s, and reads it again ten seconds later', async (_case, document) => {
  const { readSignIn, log, pass } = setUp([document, METADATA]);
  expect(await readSignIn()).toBeUndefined();
  pass(9);
  expect(await readSignIn()).toBeUndefined();
  expect(log.warn).toHaveBeenCalledTimes(1);
  pass(1);
  expect(await readSignIn()).toEqual(FOUND);
});
