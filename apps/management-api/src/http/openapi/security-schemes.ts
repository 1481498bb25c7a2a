import type { JsonSchema } from '@legate/operations';
import { isScope } from '../api/access.ts';
import type { Operation } from '../api/operation.ts';
import type { ReferenceSignIn } from './reference-sign-in.ts';

/** Returns the security schemes; `oauth2` only if a client may sign in with it. */
export const securitySchemes = (
  operations: readonly Operation[],
  { issuer, signIn }: { issuer: string; signIn: ReferenceSignIn | undefined },
) => ({
  ...(signIn && { oauth2: oauth2Scheme(operations, issuer, signIn) }),
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: `An access token for this API of the identity provider at ${issuer}, with \`organization_id\`; or an API key of a service account (\`lgt_…\`), for the operations that its scopes allow.`,
  },
  workload: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'An access token of a service itself (client credentials), sent with a transaction token that was issued to it.',
  },
  transactionToken: {
    type: 'apiKey',
    in: 'header',
    name: 'Txn-Token',
    description:
      'A transaction token for exactly this operation with exactly these parameters; it is valid once. Any other request gets 403 `transaction_mismatch`.',
  },
});

const oauth2Scheme = (
  operations: readonly Operation[],
  issuer: string,
  { authorizationUrl, tokenUrl }: ReferenceSignIn,
) => ({
  type: 'oauth2',
  description: `Sign in at the identity provider at ${issuer}, with PKCE (RFC 7636). The token is for this API (RFC 8707), and has the chosen scopes as far as the provider and the caller's role allow.`,
  flows: { authorizationCode: { authorizationUrl, tokenUrl, scopes: scopesOf(operations) } },
});

/** Returns the scopes that operations need, each described by the summaries of some of these operations. */
function scopesOf(operations: readonly Operation[]): Record<string, string> {
  const summaries = new Map<string, string[]>();
  for (const { access, summary } of operations)
    if (isScope(access)) summaries.set(access, [...(summaries.get(access) ?? []), summary]);
  const described = [...summaries].map(([scope, [first = '', ...others]]): [string, string] => [
    scope,
    others.length === 0 ? first : `${first}, and ${others.length} more`,
  ]);
  return Object.fromEntries(described.sort(([a], [b]) => a.localeCompare(b)));
}

/** Returns the alternative ways to authenticate for one operation; each needs all of its schemes. */
export function securityOf(operation: Operation, hasSignIn: boolean): JsonSchema[] {
  const { access, transaction } = operation;
  if (access === 'public') return [];
  const scopes = isScope(access) ? [access] : [];
  return [
    { bearer: scopes },
    ...(hasSignIn ? [{ oauth2: scopes }] : []),
    // Both are required: the token of the calling service, and that of the user
    ...(transaction === undefined ? [] : [{ workload: [], transactionToken: [] }]),
  ];
}
