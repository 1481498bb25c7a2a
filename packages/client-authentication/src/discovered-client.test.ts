import { expect, it } from '@jest/globals';
import { createDiscoveredClient } from './discovered-client.ts';

const ISSUER = 'https://idp.example';
const DOCUMENT = { issuer: ISSUER, token_endpoint: `${ISSUER}/token`, jwks_uri: `${ISSUER}/jwks` };

/** A client whose provider is unavailable at first, and available later */
function clientOf(answers: (Response | Error)[]) {
  let requests = 0;
  const get = createDiscoveredClient({
    issuer: ISSUER,
    clientId: 'client',
    credentials: { method: 'client_secret_post', clientSecret: 'secret' },
    fetch: async () => {
      requests += 1;
      const answer = answers.shift() ?? new Error('asked too often');
      if (answer instanceof Error) throw answer;
      return answer;
    },
  });
  return { get, requests: () => requests };
}

it('reads the metadata once', async () => {
  const { get, requests } = clientOf([Response.json(DOCUMENT)]);
  const [first, second] = await Promise.all([get(), get()]);
  expect(first.serverMetadata().token_endpoint).toBe(DOCUMENT.token_endpoint);
  expect([second, await get(), requests()]).toEqual([first, first, 1]);
});

it('rejects all waiting calls with the same failure, and reads the metadata again at the next call', async () => {
  const away = new Error('away');
  const { get, requests } = clientOf([away, Response.json(DOCUMENT)]);
  const outcomes = await Promise.allSettled([get(), get()]);
  expect(outcomes).toMatchObject(Array(2).fill({ status: 'rejected', reason: { cause: away } }));
  expect((await get()).serverMetadata().issuer).toBe(ISSUER);
  expect(requests()).toBe(2);
});
