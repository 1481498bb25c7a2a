import { expect, it } from '@jest/globals';
import { Problem } from '@legate/service';
import { CreateConnector } from './connector.ts';
import { checkSettings } from './rules.ts';

const NO_SECRET = { isThere: false, isSent: false, fault: undefined };
const NO_FAULT = {
  secret: NO_SECRET,
  fallbackSecret: { ...NO_SECRET, isSent: true },
  metadata: null,
  urlFault: undefined,
  mcpUrlFault: undefined,
  issuerFault: undefined,
  needsNewAcknowledgement: false,
};

function detailsOf(request: object): unknown {
  const address = { name: 'Tools', resource_url: 'https://tools.example/mcp' };
  const settings = CreateConnector.parse({ ...address, enabled: false, ...request });
  try {
    checkSettings({ ...settings, slug: 'tools' }, NO_FAULT);
  } catch (err) {
    if (err instanceof Problem)
      return Object.fromEntries(err.errors?.map(({ pointer, detail }) => [pointer, detail]) ?? []);
    throw err;
  }
  return {};
}

it('names the methods that a setting is for', () => {
  expect(
    detailsOf({
      auth_method: 'passthrough',
      service_kind: 'api_key',
      issuer: 'https://login.example',
      token_endpoint_auth_method: 'client_secret_basic',
      audience: 'tools',
    }),
  ).toEqual({
    '/service_kind': 'Allowed only for the method service.',
    '/issuer': 'Allowed only for the methods id-jag, token-exchange, and oauth-pkce.',
    '/token_endpoint_auth_method': 'Allowed only for id-jag, and for oauth-pkce with client_id and secret.',
    '/audience': 'Allowed only for the method id-jag.',
    '/acknowledge_legacy':
      'passthrough bypasses audience scoping: say true, and again for another resource_url or mcp_url.',
    '/fallback_secret': 'Allowed only with service as a fallback.',
  });
});

it('names the method that needs a setting', () => {
  expect(detailsOf({ fallback: ['service'], passthrough_audiences: ['tools'] })).toEqual({
    '/service_kind': 'Required for the method service.',
    '/client_id': 'Required for the method id-jag: the secret belongs to this client.',
    '/passthrough_audiences': 'Allowed only for the method passthrough.',
  });
});
