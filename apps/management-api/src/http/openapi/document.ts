import { describeOperations, type JsonSchema } from '@legate/operations';
import { isScope } from '../api/access.ts';
import type { Operation } from '../api/operation.ts';
import { TAGS } from '../api/tags.ts';
import { EXAMPLES } from './examples.ts';
import { HEADERS, headersOf } from './headers.ts';
import { PROBLEM, problemCodes } from './problems.ts';
import type { ReferenceSignIn } from './reference-sign-in.ts';
import { tidy } from './schema-override.ts';
import { securityOf, securitySchemes } from './security-schemes.ts';

export interface ApiDescription {
  /** URL of this API */
  readonly resource: string;
  /** Issuer of the tokens that the API accepts */
  readonly issuer: string;
}

/** Parameters that several operations declare in the same way */
const PARAMETERS = {
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description: 'The `ETag` of the version to be changed; any other gets 412.',
    schema: { type: 'string' },
  },
  IfNoneMatchOfPut: {
    name: 'If-None-Match',
    in: 'header',
    description: '`*`: only create; 412 if it exists already.',
    schema: { type: 'string' },
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'For 24 hours, the same request with the same key gets the same response and has no second effect.',
    schema: {
      type: 'string',
      minLength: 1,
      maxLength: 257,
      examples: ['8e03978e-40d5-43e8-bc93-6894a57f9324'],
    },
  },
} as const;

/**
 * Returns an OpenAPI 3.1 document, generated from the declarations of the operations.
 * @param signIn the client with which readers may sign in; undefined: they must already have a token
 */
export function describeApi(
  operations: readonly Operation[],
  { resource, issuer }: ApiDescription,
  signIn?: ReferenceSignIn,
) {
  const { paths, components } = describeOperations(operations, {
    problem: PROBLEM,
    headers: HEADERS,
    parameters: PARAMETERS,
    examples: EXAMPLES,
    override: tidy,
    describe: (operation) => describeRules(operation, signIn !== undefined),
    parametersOf,
    problemsOf: problemCodes,
    headersOf,
    hasPages: ({ showProblem }) => showProblem !== undefined,
  });
  const used = new Set(operations.map(({ tag }) => tag));
  const tags = Object.entries(TAGS).map(([name, description]) => ({ name, description }));
  return {
    openapi: '3.1.1',
    info: {
      title: 'Legate management API',
      version: '1.0.0',
      description:
        'Manages organizations, the sites that embed their agents, and the tool servers that those agents may use. A single resource is returned without an envelope, a list as `{data, pagination}`, an error as problem details (RFC 9457) with a stable `code`. Paths without `/v1` serve the latest version.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: `${resource}/api/v1` }],
    tags: tags.filter(({ name }) => used.has(name as keyof typeof TAGS)),
    paths,
    components: { ...components, securitySchemes: securitySchemes(operations, { issuer, signIn }) },
  };
}

/** Returns the text about who may call an operation, and when. */
function describeRules(operation: Operation, hasSignIn: boolean): JsonSchema {
  const { access, tag, minimumRole, whileSuspended, transaction } = operation;
  const role = minimumRole && ` and the role ${minimumRole} or a stronger one`;
  const needs = isScope(access) ? `Needs the scope \`${access}\`${role ?? ''}.` : undefined;
  const ofSuspended = whileSuspended && OPEN_TO[whileSuspended];
  const ofTransactions =
    transaction && `A service can call it for a user with a transaction token for \`${transaction}\`.`;
  return {
    tags: [tag],
    description:
      [operation.description, needs, ofSuspended, ofTransactions].filter(Boolean).join(' ') || undefined,
    'x-legate-minimum-role': minimumRole,
    'x-legate-while-suspended': whileSuspended,
    'x-legate-takes-rights-away': takesRightsAway(operation),
    security: securityOf(operation, hasSignIn),
  };
}

const takesRightsAway = ({ isSecurity }: Operation): 'always' | 'depending-on-the-body' | undefined => {
  if (isSecurity === undefined) return undefined;
  return isSecurity === true ? 'always' : 'depending-on-the-body';
};

const OPEN_TO = {
  owner: 'Owners may call it even while the organization is suspended or deleted.',
  admin: 'Owners and admins may call it even while the organization is suspended or deleted.',
} as const;

function parametersOf({ ifMatch, ifNoneMatch, isIdempotent }: Operation): (keyof typeof PARAMETERS)[] {
  const names: (keyof typeof PARAMETERS)[] = [];
  if (ifMatch) names.push('IfMatch');
  if (ifNoneMatch) names.push('IfNoneMatchOfPut');
  if (isIdempotent) names.push('IdempotencyKey');
  return names;
}
