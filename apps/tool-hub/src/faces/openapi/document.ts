import { describeOperations, type Header, type JsonSchema } from '@legate/operations';
import { z } from 'zod';
import { AGENT_HEADER } from '../../connectors/access.ts';
import type { HubHeader, HubOperation } from '../api/operation.ts';
import { Problem, problemsOf } from './problems.ts';

const header = (description: string): Header => ({ description, schema: { type: 'string' } });

const HEADERS: Readonly<Record<HubHeader, Header>> = {
  ETag: header('The version of the response, for `If-None-Match`'),
  'Legate-Acts-As': header('The identity with which the tool server was called'),
  'Legate-Call-Id': header('Id of the call, for its explanation and the audit trail'),
  'Legate-Token-Cache': header('`hit`: the access token was cached; `miss`: it was obtained for this call'),
};

const PARAMETERS = {
  Agent: {
    ...{ name: AGENT_HEADER, in: 'header', required: false, schema: { type: 'string' } },
    description: 'The agent that acts for the user',
  },
};

/** @returns an OpenAPI 3.1 document of the REST API. `/mcp` and the OAuth endpoints are described by their standards. */
export function describeHub(operations: readonly HubOperation[], { publicUrl }: { publicUrl: string }) {
  const { paths, components } = describeOperations(operations, {
    problem: jsonSchemaOf(Problem),
    headers: HEADERS,
    parameters: PARAMETERS,
    describe: ({ access }) => (access === 'public' ? { security: [] } : {}),
    parametersOf: ({ access }): (keyof typeof PARAMETERS)[] => (access === 'public' ? [] : ['Agent']),
    problemsOf,
    headersOf: () => [],
  });
  return {
    openapi: '3.1.1',
    info: {
      title: 'Legate tool hub',
      version: '1.0.0',
      description:
        'Calls tools as the signed-in user. Agents use MCP at `/mcp` instead, and OAuth clients use the endpoints listed at `/.well-known/oauth-authorization-server`.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: `${publicUrl}/api/v1` }],
    security: [{ user: [] }],
    paths,
    components: {
      ...components,
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

function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  const { $schema, ...json } = z.toJSONSchema(schema);
  return json;
}
