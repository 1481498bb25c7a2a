import { servicePages } from '@legate/service';
import type { Router } from 'express';
import { PROBLEMS } from '../../domain/problem-codes.ts';

/** @param publicUrl URL of the hub */
export const frontPages = (publicUrl: string): Router =>
  servicePages({
    name: 'tool-hub',
    summary:
      'Calls tools as the signed-in user. Applications send requests to /api/v1, and agents connect to /mcp (MCP).',
    documents: {
      '/.well-known/oauth-protected-resource/mcp':
        'Protected resource metadata of the MCP endpoint (RFC 9728)',
    },
    problems: PROBLEMS,
    url: publicUrl,
  });
