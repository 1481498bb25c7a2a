import { expect, it } from '@jest/globals';
import { endpointsOf, pathOf } from './endpoints.ts';

it('derives every URL from the resource identifier, which is kept unchanged', () => {
  expect(endpointsOf('https://tools.example')).toEqual({
    resource: 'https://tools.example',
    token: 'https://tools.example/oauth/token',
    authorization: 'https://tools.example/oauth/authorize',
    jwks: 'https://tools.example/.well-known/jwks.json',
    resourceMetadata: 'https://tools.example/.well-known/oauth-protected-resource',
    serverMetadata: 'https://tools.example/.well-known/oauth-authorization-server',
  });
});

it('inserts the well-known part before the path of an identifier that has one', () => {
  const endpoints = endpointsOf('https://tools.example/a/mcp');
  expect(pathOf(endpoints.token)).toBe('/a/mcp/oauth/token');
  expect(endpoints.resourceMetadata).toBe('https://tools.example/.well-known/oauth-protected-resource/a/mcp');
  expect(endpoints.serverMetadata).toBe('https://tools.example/.well-known/oauth-authorization-server/a/mcp');
});

it.each([
  'https://tools.example/',
  'https://tools.example?x',
  'https://tools.example#x',
  'tools',
  'ftp://x',
  '',
  'https://',
])('refuses %j as a resource identifier', (resource) => {
  expect(() => endpointsOf(resource)).toThrow('resource identifier');
});
