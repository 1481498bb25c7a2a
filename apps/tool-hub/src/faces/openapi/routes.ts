import { hash } from 'node:crypto';
import { JsonText } from '@legate/operations';
import { z } from 'zod';
import { type HubOperation, operation } from '../api/operation.ts';
import { describeHub } from './document.ts';

interface Made {
  readonly etag: string;
  readonly body: JsonText;
}

/** `GET /openapi.json`: the description of all operations, itself included. Needs no token, and is not counted. */
export function descriptionOperations(
  operations: readonly HubOperation[],
  options: { publicUrl: string },
): HubOperation[] {
  /** Created at the first request, because it takes longer than everything else at start. */
  let made: Made | undefined;
  const own: HubOperation[] = [
    operation('getOpenApiDocument', 'get', '/openapi.json', {
      summary: 'Get this document',
      access: 'public',
      responses: {
        200: {
          description: 'An OpenAPI 3.1 document',
          schema: z.looseObject({ openapi: z.string() }),
          headers: ['ETag'],
        },
      },
      handle: () => {
        made ??= make();
        return { status: 200, headers: { ETag: made.etag }, body: made.body } as const;
      },
    }),
  ];
  const make = (): Made => {
    const text = JSON.stringify(describeHub([...operations, ...own], options));
    return { etag: `"${hash('sha256', text, 'base64url')}"`, body: new JsonText(text) };
  };
  return own;
}
