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
    '/service_kind': 'For the method service only.',
    '/issuer': 'For the methods id-jag and oauth-pkce only.',
    '/token_endpoint_auth_method': 'For id-jag, and for oauth-pkce with client_id and secret.',
    '/audience': 'For the method id-jag only.',
    '/acknowledge_legacy':
      'passthrough bypasses audience scoping: say true, and again for another resource_url or mcp_url.',
    '/fallback_secret': 'For service as a fallback only.',
  });
});

it('names the method that needs a setting', () => {
  expect(detailsOf({ fallback: ['service'], passthrough_audiences: ['tools'] })).toEqual({
    '/service_kind': 'Required for the method service.',
    '/client_id': 'Required for the method id-jag, whose secret is that of a client.',
    '/passthrough_audiences': 'For the method passthrough only.',
  });
});
