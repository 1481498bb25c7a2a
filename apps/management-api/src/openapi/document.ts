import { isScope } from '../api/access.ts';
import type { Operation } from '../api/operation.ts';
import type { SuccessResponse } from '../api/response.ts';
import { TAGS } from '../api/tags.ts';
import { shareMembers } from './extensions.ts';
import { EVERYWHERE, HEADERS, type HeaderName, headerRefs, RATE_LIMIT } from './headers.ts';
import { PROBLEM, problemResponses } from './problem-responses.ts';
import type { ReferenceSignIn } from './reference-sign-in.ts';
import { createSchemaTranslator, type JsonSchema, type SchemaTranslator } from './schemas.ts';
import { securityOf, securitySchemes } from './security-schemes.ts';

export interface ApiDescription {
  /** URL of the API */
  readonly resource: string;
  /** Issuer of the tokens */
  readonly issuer: string;
}

/** The parameters that are the same wherever an operation declares them. */
const PARAMETERS = {
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description: 'The `ETag` of the version to be changed; any other gets 412.',
    schema: { type: 'string' },
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'The `ETag` of the version that is known; it gets 304 without a body.',
    schema: { type: 'string' },
  },
  IfNoneMatchOfPut: {
    name: 'If-None-Match',
    in: 'header',
    description: '`*`: create only; if there is one already, 412.',
    schema: { type: 'string' },
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'For 24 hours, the same request with the same key gets the same answer and does nothing again.',
    schema: {
      type: 'string',
      minLength: 1,
      maxLength: 257,
      examples: ['8e03978e-40d5-43e8-bc93-6894a57f9324'],
    },
  },
} as const;

/**
 * Returns an OpenAPI 3.1 document of the operations, made of their declarations.
 * @param signIn how readers may sign in; undefined: only with a token that they have
 */
export function describeApi(
  operations: readonly Operation[],
  { resource, issuer }: ApiDescription,
  signIn?: ReferenceSignIn,
) {
  const schemas = createSchemaTranslator();
  const shared = createSharedResponses();
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const operation of operations) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method]: describeOperation(operation, {
        schemas,
        refer: shared.refer,
        hasSignIn: signIn !== undefined,
      }),
    };
  }
  const { schemas: components, close } = shareMembers(schemas.components);
  const used = new Set(operations.map(({ tag }) => tag));
  const tags = Object.entries(TAGS).map(([name, description]) => ({ name, description }));
  return {
    openapi: '3.1.1',
    info: {
      title: 'Legate management API',
      version: '1.0.0',
      description:
        'Organizations, the sites that embed their agents, and the tool servers those agents may use. Single things are answered bare, lists as `{data, pagination}`, refusals as problem details (RFC 9457) with a stable `code`. The same is served without `/v1` as the latest version.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: `${resource}/api/v1` }],
    tags: tags.filter(({ name }) => used.has(name as keyof typeof TAGS)),
    paths: close(paths),
    components: {
      schemas: { Problem: PROBLEM, ...components },
      responses: shared.components,
      headers: HEADERS,
      parameters: PARAMETERS,
      securitySchemes: securitySchemes(operations, { issuer, signIn }),
    },
  };
}

/** Most refusals are the same for most operations: each is written once. */
function createSharedResponses() {
  const names = new Map<string, string>();
  const components: Record<string, JsonSchema> = {};
  return {
    components,
    refer(status: string, response: JsonSchema): JsonSchema {
      const text = JSON.stringify(response);
      const ofStatus = Object.keys(components).filter((name) => name.startsWith(`Problem${status}`)).length;
      const name = names.get(text) ?? `Problem${status}${ofStatus === 0 ? '' : `-${ofStatus + 1}`}`;
      names.set(text, name);
      components[name] = response;
      return { $ref: `#/components/responses/${name}` };
    },
  };
}

type Refer = ReturnType<typeof createSharedResponses>['refer'];

function describeOperation(
  operation: Operation,
  { schemas, refer, hasSignIn }: { schemas: SchemaTranslator; refer: Refer; hasSignIn: boolean },
): JsonSchema {
  const { operationId, tag, summary, access, body } = operation;
  const problems = Object.fromEntries(
    Object.entries(problemResponses(operation)).map(([status, response]) => [
      status,
      refer(status, response),
    ]),
  );
  const role = operation.minimumRole && ` and the role ${operation.minimumRole} or a stronger one`;
  const needs = isScope(access) ? `Needs the scope \`${access}\`${role ?? ''}.` : undefined;
  const ofSuspended = operation.whileSuspended && OPEN_TO[operation.whileSuspended];
  const ofTransactions =
    operation.transaction &&
    `A service calls it for a user with a transaction token for \`${operation.transaction}\`.`;
  return {
    operationId,
    tags: [tag],
    summary,
    description:
      [operation.description, needs, ofSuspended, ofTransactions].filter(Boolean).join(' ') || undefined,
    'x-legate-minimum-role': operation.minimumRole,
    'x-legate-while-suspended': operation.whileSuspended,
    security: securityOf(operation, hasSignIn),
    parameters: [
      ...pathParameters(operation),
      ...queryParameters(operation, schemas),
      ...headerParameters(operation),
    ],
    requestBody: body && {
      required: body.required,
      content: Object.fromEntries(
        body.mediaTypes.map((mediaType) => [
          mediaType,
          {
            schema: schemas.input(
              body.schema,
              operationId.replace(/^./, (first) => first.toUpperCase()),
            ),
          },
        ]),
      ),
    },
    responses: { ...successResponses(operation, schemas), ...problems },
    'x-legate-takes-rights-away': takesRightsAway(operation),
  };
}

const takesRightsAway = ({ isSecurity }: Operation): 'always' | 'depending-on-the-body' | undefined => {
  if (isSecurity === undefined) return undefined;
  return isSecurity === true ? 'always' : 'depending-on-the-body';
};

const OPEN_TO = {
  owner: 'Open to owners while the organization is suspended or deleted.',
  admin: 'Open to owners and admins while the organization is suspended or deleted.',
} as const;

const pathParameters = ({ path }: Operation): JsonSchema[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    description: `Id of the ${name?.replace(/_id$/, '')}`,
    schema: { type: 'string' },
  }));

function queryParameters({ query }: Operation, schemas: SchemaTranslator): JsonSchema[] {
  if (!query) return [];
  const { properties = {}, required = [] } = schemas.input(query) as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    description,
    schema,
  }));
}

function headerParameters(operation: Operation): JsonSchema[] {
  const names: (keyof typeof PARAMETERS)[] = [];
  if (operation.ifMatch) names.push('IfMatch');
  if (operation.ifNoneMatch) names.push('IfNoneMatchOfPut');
  if (answersNotModified(operation)) names.push('IfNoneMatch');
  if (operation.isIdempotent) names.push('IdempotencyKey');
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}

const answersNotModified = ({ method, responses }: Operation): boolean =>
  method === 'get' && (responses[200]?.headers?.includes('ETag') ?? false);

function successResponses(operation: Operation, schemas: SchemaTranslator): Record<string, JsonSchema> {
  const always = [...EVERYWHERE, ...(operation.access === 'public' ? [] : RATE_LIMIT)];
  const described = Object.entries(operation.responses).map(([status, response]) => [
    status,
    {
      description: response.description,
      headers: headerRefs([
        ...always,
        ...(response.headers ?? []),
        ...(operation.isIdempotent ? (['Idempotent-Replayed'] as const) : []),
      ]),
      ...contentOf(response, schemas),
    },
  ]);
  if (!answersNotModified(operation)) return Object.fromEntries(described);
  const notModified: HeaderName[] = [...always, ...(operation.responses[200]?.headers ?? [])];
  return {
    ...Object.fromEntries(described),
    304: { description: 'As it is known', headers: headerRefs(notModified) },
  };
}

function contentOf({ schema, mediaType, streams }: SuccessResponse, schemas: SchemaTranslator): JsonSchema {
  if (streams) {
    return { content: Object.fromEntries(streams.map((type) => [type, { schema: { type: 'string' } }])) };
  }
  if (!schema) return {};
  return { content: { [mediaType ?? 'application/json']: { schema: schemas.output(schema) } } };
}
