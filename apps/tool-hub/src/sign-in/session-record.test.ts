import { expect, it } from '@jest/globals';
import { parseRecord } from './session-record.ts';

const RECORD = {
  userId: 'user_alice',
  organizationId: 'org_acme',
  clientId: 'app',
  idToken: 'an-id-token',
  idTokenIssuedAt: 1,
  idTokenExpiresAt: 301,
  original: { iss: 'https://idp.example', aud: ['app'] },
  refreshToken: 'a-refresh-token',
  endsAt: 1000,
  ends: ['', ''],
};

it('is read as the version before wrote it', () => {
  const access = { token: 'an-access-token', renewAt: 240 };
  expect(parseRecord(JSON.stringify({ ...RECORD, access, refreshRotates: true }))).toEqual({
    ...RECORD,
    access,
  });
});
