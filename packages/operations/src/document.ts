import type { Declaration, SuccessResponse } from './declaration.ts';
import { shareMembers } from './extensions.ts';
import { createProblemResponses, type ProblemResponses } from './problem-responses.ts';
import {
  createSchemaTranslator,
  type JsonSchema,
  type SchemaOptions,
  type SchemaTranslator,
} from './schemas.ts';

/** A header of answers, as `components.headers` describes it */
export interface Header {
  readonly description: string;
  readonly schema: { readonly type: 'string' | 'integer'; readonly examples?: readonly unknown[] };
}

/** Conventions of all operations of an API. */
export interface Conventions<Operation extends Declaration> extends SchemaOptions {
  /** The schema of refusals (RFC 9457) */
  readonly problem: JsonSchema;
  /** Every response header that is part of the API, by its name */
  readonly headers: Readonly<Record<string, Header>>;
  /** Parameters that are the same wherever they occur, by the name of their component */
  readonly parameters: Readonly<Record<string, JsonSchema>>;
  /** @returns members of the operation, such as `tags` and `security` */
  describe(operation: Operation): JsonSchema;
  /** @returns names of `parameters` that a request may have */
  parametersOf(operation: Operation): readonly string[];
  /** @returns codes by status, of all refusals */
  problemsOf(operation: Operation): ReadonlyMap<number, readonly string[]>;
  /** @returns names of headers of an answer, besides those that the operation declares */
  headersOf(operation: Operation, status: number): readonly string[];
  /** True if refusals of the operation may be HTML pages. */
  hasPages?(operation: Operation): boolean;
}

/** The parameter of every `GET` whose answer has an `ETag` */
const IF_NONE_MATCH: JsonSchema = {
  name: 'If-None-Match',
  in: 'header',
  description:
    'The `ETag` of the version that you have. If it is current, the response is 304 without a body.',
  schema: { type: 'string' },
};

interface Translation<Operation extends Declaration> {
  readonly conventions: Conventions<Operation>;
  readonly schemas: SchemaTranslator;
  readonly problems: ProblemResponses;
}

/** @returns `paths` and `components` of an OpenAPI 3.1 document of the operations, made of their declarations */
export function describeOperations<Operation extends Declaration>(
  operations: readonly Operation[],
  conventions: Conventions<Operation>,
) {
  const { problem, headers, parameters } = conventions;
  const translation = {
    conventions,
    schemas: createSchemaTranslator(conventions),
    problems: createProblemResponses(),
  };
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const operation of operations) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method]: describeOperation(operation, translation),
    };
  }
  const { schemas, close } = shareMembers(translation.schemas.components);
  const isConditional = operations.some(answersNotModified);
  return {
    paths: close(paths),
    components: {
      schemas: { Problem: problem, ...schemas },
      responses: translation.problems.components,
      headers,
      parameters: { ...parameters, ...(isConditional && { IfNoneMatch: IF_NONE_MATCH }) },
    },
  };
}

function describeOperation<Operation extends Declaration>(
  operation: Operation,
  { conventions, schemas, problems }: Translation<Operation>,
): JsonSchema {
  const { operationId, summary, description, body } = operation;
  const shared = [
    ...conventions.parametersOf(operation),
    ...(answersNotModified(operation) ? ['IfNoneMatch'] : []),
  ];
  return {
    operationId,
    summary,
    ...(description !== undefined && { description }),
    ...conventions.describe(operation),
    parameters: [
      ...pathParameters(operation),
      ...queryParameters(operation, schemas),
      ...shared.map((name) => ({ $ref: `#/components/parameters/${name}` })),
    ],
    ...(body && {
      requestBody: {
        required: body.required,
        content: Object.fromEntries(
          body.mediaTypes.map((mediaType) => [
            mediaType,
            { schema: schemas.input(body.schema, capitalized(operationId)) },
          ]),
        ),
      },
    }),
    responses: {
      ...successResponses(operation, conventions, schemas),
      ...problems.refer(
        conventions.problemsOf(operation),
        (status) => headersWith(conventions.headersOf(operation, status)),
        conventions.hasPages?.(operation),
      ),
    },
  };
}

const capitalized = (name: string): string => name.replace(/^./, (first) => first.toUpperCase());

const pathParameters = ({ path }: Declaration): JsonSchema[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    ...(name.endsWith('_id') && { description: `Id of the ${name.slice(0, -'_id'.length)}` }),
    schema: { type: 'string' },
  }));

function queryParameters({ query }: Declaration, schemas: SchemaTranslator): JsonSchema[] {
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

/** Express compares the `ETag` of an answer with `If-None-Match` by itself. */
const answersNotModified = ({ method, responses }: Declaration): boolean =>
  method === 'get' && (responses[200]?.headers?.includes('ETag') ?? false);

function successResponses<Operation extends Declaration>(
  operation: Operation,
  { headersOf }: Conventions<Operation>,
  schemas: SchemaTranslator,
): Record<string, JsonSchema> {
  const described = Object.entries(operation.responses).map(([status, response]) => [
    status,
    {
      description: response.description,
      ...headersWith([...headersOf(operation, Number(status)), ...(response.headers ?? [])]),
      ...contentOf(response, schemas),
    },
  ]);
  if (!answersNotModified(operation)) return Object.fromEntries(described);
  const headers = [...headersOf(operation, 304), ...(operation.responses[200]?.headers ?? [])];
  return {
    ...Object.fromEntries(described),
    304: { description: 'Your version is current', ...headersWith(headers) },
  };
}

const headersWith = (names: readonly string[]): JsonSchema => {
  const headers = names.map((name) => [name, { $ref: `#/components/headers/${name}` }]);
  return headers.length > 0 ? { headers: Object.fromEntries(headers) } : {};
};

function contentOf({ schema, mediaType, streams }: SuccessResponse, schemas: SchemaTranslator): JsonSchema {
  if (streams)
    return { content: Object.fromEntries(streams.map((type) => [type, { schema: { type: 'string' } }])) };
  if (!schema) return {};
  return { content: { [mediaType ?? 'application/json']: { schema: schemas.output(schema) } } };
}
