import { expect, it } from '@jest/globals';
import { z } from 'zod';
import { clientsEnvironment } from './settings.ts';

const read = (environment: object) => z.object(clientsEnvironment).safeParse(environment);

it('allows registered clients and documents of any host by default', () => {
  expect(read({}).data).toEqual({
    CLIENT_REGISTRATION: ['registered', 'documents'],
    NATIVE_REDIRECT_SCHEMES: ['cursor://anysphere.cursor-mcp/oauth/'],
  });
});

it.each([
  {
    NATIVE_REDIRECT_SCHEMES:
      'cursor://anysphere.cursor-mcp/oauth/,com.example.app:/signed-in,vscode://example.tools',
  },
  { CLIENT_DOCUMENT_HOSTS: 'claude.ai,localhost:8443' },
  { CLIENT_REGISTRATION: 'dynamic' },
])('accepts %j', (environment) => {
  expect(read(environment).error).toBeUndefined();
});

it.each(
  [
    ...[
      'cursor',
      'cursor:',
      'cursor:/',
      'cursor://',
      'cursor:///x',
      'cursor://a@b/',
      'Cursor://x/y',
      'cursor://x/../y',
    ],
    ...[
      'com.example.app',
      'javascript://x/y',
      'https://agent.example/',
      'http://localhost/',
      'data:/x',
      'cursor://x/y?z',
    ],
    ...['cursor://anysphere.cursor-mcp/oauth/,vscode'],
  ].map((NATIVE_REDIRECT_SCHEMES) => ({ NATIVE_REDIRECT_SCHEMES })),
)('refuses %j', (environment) => {
  expect(read(environment).success).toBe(false);
});

it('explains what to write instead of a scheme alone, which was accepted formerly', () => {
  expect(read({ NATIVE_REDIRECT_SCHEMES: 'cursor' }).error?.issues[0]?.message).toContain(
    'such as cursor://anysphere.cursor-mcp/oauth/',
  );
});

it.each([
  { CLIENT_DOCUMENT_HOSTS: 'https://claude.ai' },
  { CLIENT_REGISTRATION: 'registered,all' },
  { CLIENT_REGISTRATION: '' },
])('refuses %j', (environment) => {
  expect(read(environment).success).toBe(false);
});
