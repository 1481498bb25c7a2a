import { expect, it } from '@jest/globals';
import { listRecordings, readRecording } from '@legate/identity-providers/recorded';
import type { Delegation } from '../../domain/delegation.ts';
import { createTokenClient } from '../../oauth-peers/token-client.ts';
import { requestToken } from '../../oauth-peers/token-request.ts';
import { idpRefusal } from './token-refusal.ts';

/**
 * What the hub makes of each answer that a provider documents. It has no method yet that exchanges access tokens: their
 * refusals are read like those of a request for an ID-JAG.
 */
const OUTCOMES = {
  auth0: {
    'chain-too-deep': 'unsupported',
    'client-not-linked': 'misconfigured',
    // Auth0 answers a wrong secret with `access_denied`, and 401.
    'client-refused': 'misconfigured',
    'exchange-not-allowed': 'misconfigured',
    'refresh-token-unknown': 'expired',
    'token-exchange': 'granted',
  },
  entra: {
    'assertion-for-another': 'expired',
    'assertion-signature': 'expired',
    'certificate-unknown': 'misconfigured',
    'consent-required': 'expired',
    'exchange-unknown': 'unsupported',
    'id-token-as-assertion': 'unsupported',
    'mfa-required': 'misconfigured',
    'on-behalf-of': 'granted',
    'parameter-missing': 'unsupported',
    'refresh-token-expired': 'expired',
    'scope-invalid': 'denied',
    'secret-wrong': 'misconfigured',
    'user-not-assigned': 'expired',
  },
  generic: { 'audience-unknown': 'denied', 'id-jag': 'granted', 'subject-refused': 'unsupported' },
  google: {
    'client-refused': 'misconfigured',
    'exchange-unknown': 'unsupported',
    'refresh-token-revoked': 'expired',
  },
  keycloak: {
    'audience-no-client': 'misconfigured',
    'audience-not-available': 'unsupported',
    'client-not-in-audience': 'denied',
    'client-refused': 'misconfigured',
    'exchange-off': 'unsupported',
    'grant-unknown': 'unsupported',
    'id-token-as-subject': 'unsupported',
    'refresh-token-expired': 'expired',
    'token-exchange': 'granted',
  },
  okta: {
    'client-refused': 'misconfigured',
    'custom-server': 'unsupported',
    'id-jag': 'granted',
    'key-unknown': 'misconfigured',
    'not-connected': 'misconfigured',
    'policy-denied': 'denied',
    'refresh-token-expired': 'expired',
    'resource-mismatch': 'denied',
    // Okta refuses a scope with `unauthorized_client`.
    'scope-not-permitted': 'misconfigured',
  },
  pingfederate: {
    'id-jag': 'granted',
    'id-token-not-enabled': 'unsupported',
    'refresh-token-replaced': 'expired',
  },
  workos: { 'exchange-unknown': 'unsupported' },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Delegation['outcome']>>>>;
const EXPECTED = Object.entries(OUTCOMES).flatMap(([kind, outcomes]) =>
  Object.entries(outcomes).map(([name, outcome]) => [kind, name, outcome] as const),
);

/** Sends a request to an identity provider that answers as recorded. */
async function outcomeOf(kind: string, name: string): Promise<string> {
  const [recorded] = listRecordings().filter((each) => each[0] === kind && each[1] === name);
  if (!recorded) throw new Error('no such recording');
  const { request, response } = readRecording(...recorded);
  const client = await createTokenClient({
    issuer: 'https://idp.example',
    tokenEndpoint: 'https://idp.example/token',
    clientId: 'hub',
    clientAuth: { method: 'client_secret_post', clientSecret: 'a-secret' },
    fetch: async () => Response.json(response.body, { status: response.status }),
  });
  const { grant_type: grantType = '', ...parameters } = request;
  const answer = await requestToken(client, grantType, parameters);
  return answer.kind === 'answered'
    ? 'granted'
    : idpRefusal({ metadata: client.serverMetadata(), explain: () => undefined }, answer, []).outcome;
}

it.each(EXPECTED)('%s, %s: %s', async (kind, name, outcome) => {
  expect(await outcomeOf(kind, name)).toBe(outcome);
});

it('expects something of each recorded answer', () => {
  const known = EXPECTED.map(([kind, name]) => `${kind}/${name}`);
  expect(listRecordings().map((each) => each.join('/'))).toEqual(expect.arrayContaining(known));
  expect(known).toHaveLength(listRecordings().length);
});
