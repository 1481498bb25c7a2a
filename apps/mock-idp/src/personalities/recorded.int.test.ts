import { afterEach, expect, it } from '@jest/globals';
import type { KindName } from '@legate/identity-providers';
import { readRecording } from '@legate/identity-providers/recorded';
import request from 'supertest';
import { encode, exchangeForm, type Form } from '../testing/exchange.ts';
import { listen } from '../testing/listen.ts';
import { ADMIN_KEY } from '../testing/scene.ts';
import { discover, signIn } from '../testing/sign-in.ts';
import { PERSONALITIES, type PersonalityName } from './personalities.ts';

/** The answers of personalities have the members of the recorded ones: a refusal is the recording itself. */

const REFRESH_TOKEN = 'urn:ietf:params:oauth:token-type:refresh_token';

let close: () => Promise<void> = async () => {};
afterEach(() => close());

async function arrange(name: PersonalityName) {
  const world = await listen({ personality: PERSONALITIES[name] });
  close = world.close;
  const { token_endpoint: endpoint = '' } = (await discover(world.issuer)).serverMetadata();
  const origin = new URL(world.issuer).origin;
  const post = async (form: Form) => {
    const { status, body } = await request(origin)
      .post(new URL(endpoint).pathname)
      .type('form')
      .send(encode(form));
    return { status, body };
  };
  const idToken = async () => {
    const { body } = await request(origin)
      .post('/admin/id-tokens')
      .set('Authorization', `Bearer ${ADMIN_KEY}`)
      .send({ user: 'user_alice', client_id: 'app' });
    return String(body.id_token);
  };
  return { ...world, post, idToken };
}

const namesOf = (kind: KindName, recording: string) =>
  Object.keys(readRecording(kind, recording).response.body).toSorted();

it('okta answers an exchange with the recorded members', async () => {
  const { post, idToken } = await arrange('okta');
  const { body } = await post(exchangeForm(await idToken()));
  expect(Object.keys(body).toSorted()).toEqual(namesOf('okta', 'id-jag'));
});

it('pingfederate answers an exchange of a refresh token with the recorded members', async () => {
  const { issuer, post } = await arrange('pingfederate');
  const { tokens } = await signIn(issuer, { scope: 'openid offline_access' });
  const { body } = await post(
    exchangeForm(String(tokens.refresh_token), {
      subject_token_type: REFRESH_TOKEN,
      client_id: 'app',
      client_secret: undefined,
    }),
  );
  expect(Object.keys(body).toSorted()).toEqual(namesOf('pingfederate', 'id-jag'));
});

it.each([
  ['okta', 'not-connected', { client_id: 'stranger', client_secret: 'the-secret-of-stranger' }],
  ['okta', 'client-refused', { client_secret: 'wrong' }],
  ['keycloak', 'id-token-as-subject', {}],
  ['keycloak', 'exchange-off', { client_id: 'no-exchange', client_secret: 'the-secret-of-no-exchange' }],
  ['keycloak', 'client-refused', { client_secret: 'wrong' }],
  ['auth0', 'exchange-not-allowed', {}],
  ['auth0', 'client-refused', { client_secret: 'wrong' }],
  ['entra', 'exchange-unknown', {}],
  ['entra', 'secret-wrong', { client_secret: 'wrong' }],
  ['google', 'exchange-unknown', {}],
  ['workos', 'exchange-unknown', {}],
] as const)('%s answers as recorded: %s', async (name, recording, changes) => {
  const { post, idToken } = await arrange(name);
  const answer = await post(exchangeForm(await idToken(), changes));
  expect(answer).toEqual(readRecording(name, recording).response);
});
