import type { Logger } from '@legate/service';
import { callerOf } from '@legate/tool-server';
import { type AuthInfo, type McpServer, requireScopes } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { CALL } from '../tools/scopes.ts';
import { answerOrFail, ToolFailure } from '../tools/tool-failure.ts';
import { Site, SitePage, type Sites } from './sites.ts';

const ANNOTATIONS = { readOnlyHint: true, openWorldHint: false } as const;

/** `list_sites`, `get_site`: the sites of the caller's organization, fetched from the management API for the caller. */
export function registerSites(
  server: McpServer,
  deps: { sites: Sites; authInfo: AuthInfo | undefined; log: Logger },
): void {
  const { sites, authInfo, log } = deps;

  server.registerTool(
    'list_sites',
    {
      title: 'List sites',
      description: "Lists the sites of the signed-in user's organization, oldest first.",
      inputSchema: z.object({
        limit: z.number().int().min(1).max(100).default(20),
        offset: z.number().int().min(0).max(1_000_000).default(0),
      }),
      outputSchema: SitePage,
      annotations: ANNOTATIONS,
      scopeChallenge: requireScopes(CALL),
    },
    (page) =>
      answerOrFail(log, 'list_sites', () => {
        requireOrganization(authInfo);
        return sites.list(authInfo, page);
      }),
  );

  server.registerTool(
    'get_site',
    {
      title: 'Get a site',
      description: "Gets one site of the signed-in user's organization.",
      inputSchema: z.object({ id: z.string().regex(/^[\w.-]{1,128}$/) }),
      outputSchema: Site,
      annotations: ANNOTATIONS,
      scopeChallenge: requireScopes(CALL),
    },
    ({ id }) =>
      answerOrFail(log, 'get_site', () => {
        requireOrganization(authInfo);
        return sites.get(authInfo, id);
      }),
  );
}

/** Checked before any request: only the identity provider can help a user without an organization. */
function requireOrganization(authInfo: AuthInfo | undefined): void {
  if (callerOf(authInfo).organizationId !== undefined) return;
  throw new ToolFailure('You are signed in without an organization. Sign in for one to see its sites.');
}
