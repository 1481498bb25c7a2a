import { expect, it } from '@jest/globals';
import { z } from 'zod';
import { clientsEnvironment } from './settings.ts';

const read = (environment: object) => z.object(clientsEnvironment).safeParse(environment);

it('allows registered clients and documents of any host by default', () => {
  expect(read({}).data).toEqual({
    CLIENT_REGISTRATION: ['registered', 'documents'],
    NATIVE_REDIRECT_SCHEMES: ['cursor'],
  });
});

it.each([
  { NATIVE_REDIRECT_SCHEMES: 'cursor,com.example.app,vscode' },
  { CLIENT_DOCUMENT_HOSTS: 'claude.ai,localhost:8443' },
  { CLIENT_REGISTRATION: 'dynamic' },
])('takes %j', (environment) => {
  expect(read(environment).error).toBeUndefined();
});

it.each([
  { NATIVE_REDIRECT_SCHEMES: 'javascript' },
  { NATIVE_REDIRECT_SCHEMES: 'cursor,data' },
  { NATIVE_REDIRECT_SCHEMES: 'https' },
  { NATIVE_REDIRECT_SCHEMES: 'Cursor' },
  { CLIENT_DOCUMENT_HOSTS: 'https://claude.ai' },
  { CLIENT_REGISTRATION: 'registered,all' },
  { CLIENT_REGISTRATION: '' },
])('refuses %j', (environment) => {
  expect(read(environment).success).toBe(false);
});
