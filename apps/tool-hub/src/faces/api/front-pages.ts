import { servicePages } from '@legate/service';
import type { Router } from 'express';
import { PROBLEMS } from '../../refusals/problem-codes.ts';

/** @param publicUrl where the hub is */
export const frontPages = (publicUrl: string): Router =>
  servicePages({
    name: 'tool-hub',
    summary:
      'Calls the tools of tool servers as the signed-in user: for applications below /api/v1, for agents by MCP at /mcp.',
    documents: {
      '/.well-known/oauth-protected-resource/mcp':
        'Protected resource metadata of the MCP endpoint (RFC 9728)',
    },
    problems: PROBLEMS,
    url: publicUrl,
  });
