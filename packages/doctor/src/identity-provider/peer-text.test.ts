import { expect, it } from '@jest/globals';
import { createPeerText, MAX_LISTED } from './peer-text.ts';
import {
  examineFake,
  refusal,
  SECRET,
  type Sent,
  signIdToken,
  WITH_CLIENT,
} from './testing/fake-provider.ts';

const tokens = {
  idToken: await signIdToken(),
  accessToken: 'an access token/with+signs',
  refreshToken: 'refresh',
};

it('hides everything that was sent, also if the provider sends it back', async () => {
  const echo = ({ form, headers }: Sent) =>
    refusal('invalid_request', {
      error_description: `You sent ${form} and ${headers.get('authorization')} and ${form.get('client_secret')}`,
      suberror: form.get('subject_token'),
    });
  for (const method of ['client_secret_post', 'client_secret_basic'] as const) {
    const { report } = await examineFake(
      { ...WITH_CLIENT, tokens, credentials: { method, clientSecret: SECRET } },
      { token: echo },
    );
    const text = JSON.stringify(report);
    const basic = Buffer.from(`${WITH_CLIENT.clientId}:${SECRET}`).toString('base64');
    for (const secret of [SECRET, basic, tokens.idToken, tokens.accessToken, tokens.idToken.slice(0, 40)])
      expect(text).not.toContain(secret);
    expect(text).toContain('You sent');
  }
});

it('hides what looks like a token, and what is not printable', () => {
  const { show } = createPeerText();
  expect(show('a eyJhbGciOiJub25lIn0.eyJzdWIi b \u001b[2J\u202e')).toBe('a [hidden] b ?[2J?');
  expect(show('id 0af9b1c2d3e4f5061728394a5b6c7d8e')).toBe('id [hidden]');
});

const GUID = '2b1f0c9e-6d0a-4c1b-9d5e-0f4b7f1c2a33';

it('shows a plain GUID only in the value of a claim, and only if it is no secret', () => {
  const { hide, show, showClaim, listClaims } = createPeerText();
  expect(show(`the token ${GUID}`)).toBe('the token [hidden]');
  expect(showClaim(`api://${GUID}`)).toBe(`api://${GUID}`);
  expect(listClaims([`tid="${GUID.toUpperCase()}"`])).toEqual([`tid="${GUID.toUpperCase()}"`]);
  for (const longer of [`${GUID}0`, `x_${GUID}`, `${GUID}-${GUID}`, GUID.replaceAll('-', '')])
    expect(showClaim(`a ${longer} b`)).toBe('a [hidden] b');
  hide(GUID);
  expect(showClaim(`aud ${GUID}`)).toBe('aud [secret]');
});

it('shows little of a long text or list', () => {
  const { show, list } = createPeerText();
  expect(show('a'.repeat(1_000_000)).length).toBeLessThan(210);
  expect(list(Array(5000).fill('x'))).toHaveLength(MAX_LISTED + 1);
});
