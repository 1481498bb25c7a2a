import type { z } from 'zod';

/** HTTP methods, in the order in which `Allow` lists them */
export const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
export type Method = (typeof METHODS)[number];

/** `site_id` and `agent_id` of `/sites/{site_id}/agents/{agent_id}` */
export type ParametersOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParametersOf<Rest>
  : never;

/**
 * The declaration of an operation, from which its route and its documentation are made. An API adds members of its own.
 */
export interface Declaration {
  readonly method: Method;
  /** Relative to the API, in OpenAPI form: `/sites/{site_id}` */
  readonly path: `/${string}`;
  /** Name of the operation in generated clients. It must never change. */
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

/** Responses for a success or a redirect; refusals are problem details. */
export interface SuccessResponse<Header extends string = string> {
  readonly description: string;
  /** Default: no body. Responses are checked against it in tests, not in production. */
  readonly schema?: z.ZodType;
  /** The media type, if it is not application/json; the body is then text. */
  readonly mediaType?: string;
  /** Headers in addition to those of every response */
  readonly headers?: readonly Header[];
  /** Media types of a stream, instead of a schema. The handler sets the media type on `res`. */
  readonly streams?: readonly [string, ...string[]];
}

export type SuccessResponses<Header extends string = string> = Readonly<
  Partial<Record<200 | 201 | 202 | 204 | 302 | 303, SuccessResponse<Header>>>
>;
