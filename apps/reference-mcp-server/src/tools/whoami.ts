import type { Logger } from '@legate/service';
import { type Caller, callerOf } from '@legate/tool-server';
import { type AuthInfo, type McpServer, requireScopes } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { READ } from './scopes.ts';
import { answerOrFail } from './tool-failure.ts';

const Identity = z.object({
  subject: z.string().describe('The user, unique at the identity provider'),
  identity_provider: z.string().optional().describe('Issuer of the ID-JAG: who vouches for the user'),
  tenant: z.string().optional(),
  organization_id: z.string().optional(),
  email: z.string().optional(),
  groups: z.array(z.string()).optional(),
  roles: z.array(z.string()).optional(),
  actor: z
    .object({ iss: z.string().optional(), sub: z.string(), sub_profile: z.string().optional() })
    .optional()
    .describe('The agent that acts for the user, and the issuer that vouches for it'),
  client_id: z.string().describe('The client that acts for the user'),
  scopes: z.array(z.string()),
  issuer_chain: z
    .array(z.object({ issuer: z.string(), issued: z.string() }))
    .describe('The chain of tokens, from the identity provider to this call'),
});

/** `whoami`: returns what the access token contains about the caller. */
export function registerWhoami(
  server: McpServer,
  deps: { accessTokenIssuer: string; authInfo: AuthInfo | undefined; log: Logger },
): void {
  const { accessTokenIssuer, authInfo, log } = deps;
  server.registerTool(
    'whoami',
    {
      title: 'Who am I',
      description: 'Returns the user and organization of this call, and its client and scopes.',
      inputSchema: z.object({}),
      outputSchema: Identity,
      annotations: { readOnlyHint: true, openWorldHint: false },
      scopeChallenge: requireScopes(READ),
    },
    () =>
      answerOrFail(log, 'whoami', async () => {
        const caller = callerOf(authInfo);
        return {
          subject: caller.sub,
          identity_provider: caller.idp,
          tenant: caller.tenant,
          organization_id: caller.organizationId,
          email: caller.email,
          groups: caller.groups,
          roles: caller.roles,
          actor: actorOf(caller),
          client_id: authInfo?.clientId,
          scopes: authInfo?.scopes,
          issuer_chain: [
            ...(caller.idp === undefined ? [] : [{ issuer: caller.idp, issued: 'ID-JAG' }]),
            { issuer: accessTokenIssuer, issued: 'access token' },
          ],
        };
      }),
  );
}

/** Returns the current actor, without the nested prior actors, which must not affect decisions (RFC 8693 §4.1). */
function actorOf({ actor }: Caller) {
  if (!actor) return undefined;
  const { iss, sub, sub_profile } = actor;
  return { iss, sub, sub_profile };
}
