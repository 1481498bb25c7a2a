import request from 'supertest';
import type { TestApi } from './test-api.ts';

export type Schema = { readonly [keyword: string]: unknown };

/** The OpenAPI description of an operation, with references resolved. */
export interface DescribedOperation {
  readonly name: string;
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** Path template, such as `/sites/{site_id}` */
  readonly path: string;
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[];
  /** undefined: the operation has no JSON body */
  readonly body: Schema | undefined;
}

/** Returns every operation that the API describes, so that tests include new ones automatically. */
export async function readOperations(api: TestApi): Promise<DescribedOperation[]> {
  const { body: document } = await request(api.app).get('/api/v1/openapi.json').expect(200);
  const follow = (part: unknown): Schema => {
    const { $ref } = (part ?? {}) as { $ref?: string };
    if ($ref === undefined) return (part ?? {}) as Schema;
    const names = $ref.slice('#/'.length).split('/');
    return follow(names.reduce<unknown>((found, name) => (found as Schema)[name], document));
  };
  /** Resolves nested references, to generate input from the schema. */
  const resolve = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(resolve);
    if (part === null || typeof part !== 'object') return part;
    return Object.fromEntries(Object.entries(follow(part)).map(([name, value]) => [name, resolve(value)]));
  };

  return Object.entries<Record<string, Schema>>(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]): DescribedOperation => {
      const { content = {} } = follow(described.requestBody) as {
        content?: Record<string, { schema: unknown }>;
      };
      const json = content['application/json']?.schema;
      return {
        name: String(described.operationId),
        method: method as DescribedOperation['method'],
        path,
        parameters: resolve(described.parameters ?? []) as DescribedOperation['parameters'],
        body: json === undefined ? undefined : (resolve(json) as Schema),
      };
    }),
  );
}
