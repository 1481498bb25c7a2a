import { expect, it } from '@jest/globals';
import { runs } from '@legate/testing';
import fc from 'fast-check';
import {
  mcpEndpointOf,
  resourceMetadataUrls,
  serverMetadataUrls,
  urlBelow,
  wellKnownUrl,
} from './peer-urls.ts';

it.each([
  ['https://h', 'https://h/.well-known/x'],
  ['https://h/', 'https://h/.well-known/x'],
  ['https://h/mcp', 'https://h/.well-known/x/mcp'],
  ['https://h/a/b/', 'https://h/.well-known/x/a/b'],
  ['https://h/a/b/?c=d/', 'https://h/.well-known/x/a/b?c=d/'],
  ['https://h?c', 'https://h/.well-known/x?c'],
  ['http://h:4003/mcp', 'http://h:4003/.well-known/x/mcp'],
])('the well-known URL of %s is %s', (identifier, url) => {
  expect(wellKnownUrl(identifier, 'x')).toBe(url);
});

it.each([
  ['https://h', 'https://h/oauth/token'],
  ['https://h/', 'https://h/oauth/token'],
  ['https://h/mcp/', 'https://h/mcp/oauth/token'],
  ['https://h/mcp?project=42', 'https://h/mcp/oauth/token?project=42'],
  ['https://h?project=4/2', 'https://h/oauth/token?project=4/2'],
])('below %s is %s', (address, url) => {
  expect(urlBelow(address, 'oauth/token')).toBe(url);
});

it.each([
  ['https://h', 'https://h/mcp'],
  ['http://[::1]:4003', 'http://[::1]:4003/mcp'],
])('reads %s as a bare origin, whose MCP endpoint is %s', (address, endpoint) => {
  expect(mcpEndpointOf(address)).toBe(endpoint);
});

it.each([
  'https://h/',
  'https://h/mcp',
  'https://h/mcp/',
  'https://h/http',
  'https://h/mcp?project=42',
  'https://h/mcp/?a=b&c=/mcp',
  'https://h?project=42',
  'https://h/v1/mcp/sse',
  'https://h/a%2Fb/;x=y',
  'https://H/MCP',
])('uses %s unchanged as the MCP endpoint', (address) => {
  expect(mcpEndpointOf(address)).toBe(address);
});

const ROOT = 'https://tools.example/.well-known/oauth-protected-resource';
it.each([
  ['https://tools.example', [ROOT]],
  ['https://tools.example/', [ROOT]],
  ['https://tools.example/mcp', [`${ROOT}/mcp`, ROOT]],
  ['https://tools.example/mcp/', [`${ROOT}/mcp`, `${ROOT}/mcp/`, ROOT]],
  ['https://tools.example/mcp?tenant=1', [`${ROOT}/mcp?tenant=1`, ROOT]],
  ['https://tools.example/mcp/?tenant=1', [`${ROOT}/mcp?tenant=1`, `${ROOT}/mcp/?tenant=1`, ROOT]],
  ['https://tools.example?tenant=1', [`${ROOT}?tenant=1`, ROOT]],
])('looks for the metadata of %s below its path and query, then at its root', (resource, urls) => {
  expect(resourceMetadataUrls(resource)).toEqual(urls);
});

it('looks for the metadata of an issuer at the same URLs with and without a trailing slash', () => {
  const urls = serverMetadataUrls('https://as.example/tenant/');
  expect(urls).toEqual([
    'https://as.example/.well-known/oauth-authorization-server/tenant',
    'https://as.example/.well-known/openid-configuration/tenant',
    'https://as.example/tenant/.well-known/openid-configuration',
  ]);
  expect(serverMetadataUrls('https://as.example/tenant')).toEqual(urls);
});

it('always keeps the host and the query of a URL', () => {
  const address = fc.webUrl({ withQueryParameters: true, validSchemes: ['http', 'https'] });
  fc.assert(
    fc.property(address, (given) => {
      const { origin, search } = new URL(given);
      for (const url of [urlBelow(given, 'x'), wellKnownUrl(given, 'x')])
        expect([new URL(url).origin, new URL(url).search]).toEqual([origin, search]);
      const endpoint = new URL(mcpEndpointOf(given));
      expect([endpoint.origin, endpoint.search]).toEqual([origin, search]);
    }),
    runs(500),
  );
});
