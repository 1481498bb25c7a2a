import { z } from 'zod';
import { MAX_LIFETIME_SECONDS } from '../../sign-in/session-store.ts';

/** Settings of the hub as an authorization server */
export const authorizationEnvironment = {
  AUTHORIZATION_SERVER: z.enum(['hub', 'identity-provider']).default('hub').meta({
    description:
      'Where MCP clients sign users in: at the `hub`, which sends the browser on to the identity provider, or at the `identity-provider` itself, whose ID tokens they then present.',
    when: 'Operators whose identity provider serves MCP clients itself.',
  }),
  CLIENT_SESSION_LIFETIME_SECONDS: z.coerce
    .number()
    .int()
    .min(60)
    .max(MAX_LIFETIME_SECONDS)
    .default(2_592_000)
    .meta({
      description: 'Maximum lifetime of what a user has allowed an MCP client, however often it is used.',
      when: 'Operators whose rules bound how long a sign-in lasts.',
    }),
  CLIENT_SESSION_IDLE_SECONDS: z.coerce
    .number()
    .int()
    .min(60)
    .max(MAX_LIFETIME_SECONDS)
    .default(604_800)
    .meta({
      description: 'Time without use after which it ends.',
      when: 'Operators whose rules bound how long an unused sign-in lasts.',
    }),
  ID_TOKENS_AT_MCP: z.stringbool().default(true).meta({
    secret: false,
    description:
      'Whether `/mcp` also accepts ID tokens and handles of sessions, as applications with an embedded agent present them.',
    when: 'Operators who have no such application, and want access tokens of the hub only.',
  }),
};

export type AuthorizationSettings = Readonly<z.output<z.ZodObject<typeof authorizationEnvironment>>>;
