import { expect, it } from '@jest/globals';
import { printSettings } from './examine-provider.ts';
import { CLIENT_ID, examineFake, ISSUER, SECRET, WITH_CLIENT } from './testing/fake-provider.ts';

it('prints the settings to paste, with files for secrets', async () => {
  const { leg, settings } = await examineFake({ ...WITH_CLIENT, secretFile: '/run/secrets/idp' });
  expect(leg('fields').detail).toBe('The settings are below.');
  const printed = settings && printSettings(settings);
  expect(printed?.split('\n')).toEqual([
    '# The tool hub',
    'IDP_KIND=generic',
    `IDP_ISSUER=${ISSUER}`,
    `IDP_CLIENT_ID=${CLIENT_ID}`,
    'IDP_CLIENT_SECRET_FILE=/run/secrets/idp',
    '',
    '# The management API',
    'IDP_KIND=generic',
    `IDP_ISSUER=${ISSUER}`,
    '',
  ]);
  expect(printed).not.toContain(SECRET);
});

it('names the keys instead of a secret', async () => {
  const { settings } = await examineFake({ ...WITH_CLIENT, keysFile: 'keys.json' });
  expect(settings?.hub).toMatchObject({ IDP_CLIENT_KEYS_FILE: 'keys.json' });
  expect(settings?.hub).not.toHaveProperty('IDP_CLIENT_SECRET_FILE');
});

it('says what is still to be filled in', async () => {
  const { leg, settings } = await examineFake({ kind: 'okta' });
  expect(leg('fields').detail).toBe(
    'The settings are below. Fill in ORGANIZATION_RULE, IDP_CLIENT_ID, IDP_CLIENT_SECRET_FILE.',
  );
  expect(settings?.managementApi).toMatchObject({ ORGANIZATION_RULE: '{"fixed":"org_…"}' });
});
