import { z } from 'zod';

/** Settings of the hub as an authorization server */
export const authorizationEnvironment = {
  AUTHORIZATION_SERVER: z.enum(['hub', 'identity-provider']).default('hub').meta({
    description:
      'Where MCP clients sign users in: at the `hub`, which sends the browser on to the identity provider, or at the `identity-provider` itself, whose ID tokens they then present.',
    when: 'Operators whose identity provider serves MCP clients itself.',
  }),
  ID_TOKENS_AT_MCP: z.stringbool().default(true).meta({
    secret: false,
    description:
      'Whether `/mcp` also accepts ID tokens and handles of sessions, as applications with an embedded agent present them.',
    when: 'Operators without an application that embeds an agent, who want only access tokens of the hub at `/mcp`.',
  }),
};

export type AuthorizationSettings = Readonly<z.output<z.ZodObject<typeof authorizationEnvironment>>>;
