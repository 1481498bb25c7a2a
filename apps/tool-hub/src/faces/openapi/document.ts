import { PageQuery } from '@legate/pagination';
import { z } from 'zod';
import { AGENT_HEADER } from '../../connectors/access.ts';
import { type HubProblemCode, PROBLEMS } from '../../refusals/problem-codes.ts';
import type { HubOperation } from './operations.ts';

type JsonSchema = { [keyword: string]: unknown };

const COMPONENTS = '#/components/schemas/';

/** What may refuse every authenticated request */
const EVERYWHERE: readonly HubProblemCode[] = [
  ...(['token_missing', 'token_invalid', 'token_expired', 'organization_id_required'] as const),
  ...(['session_ended', 'signed_out', 'user_id_unsupported'] as const),
  ...(['organization_suspended', 'membership_revoked', 'consent_denied'] as const),
  ...(['rate_limit_exceeded', 'concurrency_exceeded'] as const),
  ...(['idp_unavailable', 'session_store_unavailable', 'connectors_unavailable'] as const),
];

/** RFC 9457, as `problemHandler` writes it. Codes have members of their own. */
const Problem = z
  .looseObject({
    type: z.url(),
    title: z.string(),
    status: z.int(),
    code: z.string().describe('Stable: decide by it'),
    detail: z.string().optional(),
    instance: z.string(),
    request_id: z.string(),
    errors: z
      .array(
        z.strictObject({
          pointer: z.string().optional(),
          parameter: z.string().optional(),
          header: z.string().optional(),
          code: z.string(),
          detail: z.string(),
        }),
      )
      .optional(),
    reason: z.string().optional().describe('Why a bearer token is refused'),
    claims: z.array(z.string()).optional().describe('Names of the claims for which an ID token is refused'),
    connector_id: z.string().optional(),
    required_scope: z.string().optional(),
    authorization: z
      .looseObject({ remediation: z.enum(['available', 'out_of_band', 'none']) })
      .optional()
      .describe('What helps against a denial, as at `/mcp`'),
  })
  .meta({ id: 'Problem', description: 'Problem details (RFC 9457)' });

/** @returns an OpenAPI 3.1 document of the REST API. `/mcp` and the OAuth endpoints are described by their standards. */
export function describeHub(operations: readonly HubOperation[], { publicUrl }: { publicUrl: string }) {
  const schemas: Record<string, JsonSchema> = {};
  const translate = (schema: z.ZodType, io: 'input' | 'output'): JsonSchema => {
    // Through JSON, which rewrites references everywhere and drops what JSON does not have.
    const text = JSON.stringify(z.toJSONSchema(schema, { io })).replaceAll('"#/$defs/', `"${COMPONENTS}`);
    const { $schema, $defs = {}, id, ...root } = JSON.parse(text);
    for (const [name, { id: _, ...component }] of Object.entries<JsonSchema>($defs))
      schemas[name] = component;
    if (id === undefined) return root;
    schemas[id] = root;
    return { $ref: `${COMPONENTS}${id}` };
  };
  const problem = translate(Problem, 'output');
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations)
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method]: describe(operation, translate, problem),
    };
  return {
    openapi: '3.1.1',
    info: {
      title: 'Legate tool hub',
      version: '1.0.0',
      description:
        'Calls tools as the signed-in user. Agents use MCP at `/mcp` instead, and OAuth clients the endpoints that `/.well-known/oauth-authorization-server` names.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: `${publicUrl}/api/v1` }],
    security: [{ user: [] }],
    paths,
    components: {
      schemas,
      securitySchemes: {
        user: {
          type: 'http',
          scheme: 'bearer',
          description: "The user's ID token, or the handle of a session (`lhs_…`)",
        },
      },
    },
  };
}

type Translate = (schema: z.ZodType, io: 'input' | 'output') => JsonSchema;

function describe(operation: HubOperation, translate: Translate, problem: JsonSchema) {
  const { operationId, summary, description, body, status, response, headers = [] } = operation;
  return {
    operationId,
    summary,
    ...(description !== undefined && { description }),
    ...(operation.isPublic && { security: [] }),
    parameters: parametersOf(operation, translate),
    ...(body && {
      requestBody: {
        required: false,
        content: { 'application/json': { schema: translate(body, 'input') } },
      },
    }),
    responses: {
      [status]: {
        description: 'Done',
        headers: Object.fromEntries(headers.map((name) => [name, { schema: { type: 'string' } }])),
        ...(response && { content: { 'application/json': { schema: translate(response, 'output') } } }),
      },
      ...Object.fromEntries(problemsOf(operation).map(([at, codes]) => [at, problemAt(at, codes, problem)])),
    },
  };
}

const problemAt = (status: number, codes: readonly string[], problem: JsonSchema) => ({
  description: codes.map((code) => `\`${code}\``).join(', '),
  content: {
    'application/problem+json': {
      schema: { allOf: [problem, { properties: { status: { const: status }, code: { enum: codes } } }] },
    },
  },
});

/** Codes by status: what the operation declares, and what follows from the rest of its declaration */
function problemsOf({
  isPublic,
  path,
  body,
  problems,
}: HubOperation): readonly (readonly [number, string[]])[] {
  const codes: readonly HubProblemCode[] = [
    ...(isPublic ? [] : EVERYWHERE),
    ...(path.includes('{') ? (['malformed_path', 'not_found'] as const) : []),
    // A body is read before the operation is known.
    ...(isPublic
      ? []
      : (['malformed_json', 'payload_too_large', 'unsupported_media_type', 'hub_busy'] as const)),
    ...(body ? (['validation_failed'] as const) : []),
    ...problems,
    'internal_error',
  ];
  const byStatus = new Map<number, string[]>();
  for (const code of new Set(codes)) {
    const { status } = PROBLEMS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return [...byStatus].sort(([a], [b]) => a - b);
}

function parametersOf({ path, isPaged, isPublic }: HubOperation, translate: Translate): JsonSchema[] {
  const { properties = {} } = isPaged
    ? (translate(PageQuery, 'input') as { properties?: Record<string, JsonSchema> })
    : {};
  return [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
      ...{ name, in: 'path', required: true, schema: { type: 'string' } },
    })),
    ...Object.entries(properties).map(([name, schema]) => ({ name, in: 'query', required: false, schema })),
    ...(isPublic
      ? []
      : [
          {
            ...{ name: AGENT_HEADER, in: 'header', required: false, schema: { type: 'string' } },
            description: 'The agent that acts for the user',
          },
        ]),
  ];
}
