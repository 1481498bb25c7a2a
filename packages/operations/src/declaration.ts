import type { z } from 'zod';

/** HTTP methods, in the order in which `Allow` lists them */
export const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
export type Method = (typeof METHODS)[number];

/** `site_id` and `agent_id` of `/sites/{site_id}/agents/{agent_id}` */
export type ParametersOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParametersOf<Rest>
  : never;

/** What the route and the document of an operation have in common. An API adds members of its own. */
export interface Declaration {
  readonly method: Method;
  /** Relative to the API, in OpenAPI form: `/sites/{site_id}` */
  readonly path: `/${string}`;
  /** Name in generated clients, which never changes. */
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly query?: z.ZodObject;
  readonly body?: DeclaredBody;
  readonly responses: SuccessResponses;
}

export interface DeclaredBody {
  readonly mediaTypes: readonly [string, ...string[]];
  readonly schema: z.ZodType;
  readonly required: boolean;
}

/** A success or a redirect; refusals are problems. */
export interface SuccessResponse<Header extends string = string> {
  readonly description: string;
  /** Default: no body. Responses are checked against it in tests, not in production. */
  readonly schema?: z.ZodType;
  /** The media type, if it is not application/json; the body is then text. */
  readonly mediaType?: string;
  /** Headers besides those of every answer */
  readonly headers?: readonly Header[];
  /** Media types of a stream, in place of a schema. The handler sets the one that it sends on `res`. */
  readonly streams?: readonly [string, ...string[]];
}

export type SuccessResponses<Header extends string = string> = Readonly<
  Partial<Record<200 | 201 | 202 | 204 | 302 | 303, SuccessResponse<Header>>>
>;
