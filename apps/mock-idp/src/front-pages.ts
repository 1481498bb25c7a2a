import { servicePages } from '@legate/service';
import type { Router } from 'express';
import { PROBLEMS } from './admin/problem-codes.ts';

export const frontPages = (deps: {
  origin: string;
  /** Name of the imitated provider */
  title: string;
  metadataPaths: readonly string[];
  jwksPath: string;
}): Router =>
  servicePages({
    name: 'mock-idp',
    summary: `An OpenID provider for development and tests${deps.title === 'mock-idp' ? ', which issues ID-JAGs by token exchange' : `. It behaves as the documentation of ${deps.title} describes`}.`,
    documents: {
      ...Object.fromEntries(
        deps.metadataPaths.map((path) => [
          path,
          path.includes('openid') ? 'OpenID provider metadata' : 'Authorization server metadata (RFC 8414)',
        ]),
      ),
      [deps.jwksPath]: 'Signing keys',
    },
    problems: PROBLEMS,
    url: deps.origin,
  });
