import { servicePages } from '@legate/service';
import type { Router } from 'express';
import { PROBLEMS } from './admin/problem-codes.ts';

export const frontPages = (issuer: string): Router =>
  servicePages({
    name: 'mock-idp',
    summary: 'An OpenID provider for development and tests, which issues ID-JAGs by token exchange.',
    documents: {
      '/.well-known/openid-configuration': 'OpenID provider metadata',
      '/.well-known/oauth-authorization-server': 'Authorization server metadata (RFC 8414)',
      '/.well-known/jwks.json': 'Signing keys',
    },
    problems: PROBLEMS,
    url: issuer,
  });
