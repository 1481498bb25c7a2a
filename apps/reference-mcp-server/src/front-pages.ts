import { SERVICE_PROBLEMS, servicePages } from '@legate/service';
import type { Router } from 'express';

/** @param resource the resource identifier, which is the URL of the server */
export const frontPages = (resource: string): Router =>
  servicePages({
    name: 'reference-mcp-server',
    summary:
      'An example of a tool server. Clients exchange an ID-JAG for an access token at /oauth/token, and call tools at /mcp (MCP).',
    documents: {
      '/.well-known/oauth-protected-resource': 'Protected resource metadata (RFC 9728)',
      '/.well-known/oauth-authorization-server': 'Authorization server metadata (RFC 8414)',
      '/.well-known/jwks.json': 'Signing keys',
    },
    problems: SERVICE_PROBLEMS,
    url: resource,
  });
