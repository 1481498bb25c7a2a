import { createHash } from 'node:crypto';
import { z } from 'zod';
import { ok } from '../api/answer.ts';
import { type Operation, operation } from '../api/operation.ts';
import { type ApiDescription, describeApi } from './document.ts';
import { createReferencePage } from './reference-page.ts';
import type { ReferenceSignIn } from './reference-sign-in.ts';

/** The URL of this API, the issuer of its tokens, and the sign-in of its reference page */
export interface DescribedApi extends ApiDescription {
  /** Resolves to the sign-in of the page; without one, readers paste a token. */
  readonly readSignIn?: (() => Promise<ReferenceSignIn | undefined>) | undefined;
}

/**
 * Returns the operations that serve the description of all `operations`, including themselves, and a page to read it.
 */
export function descriptionOperations(operations: readonly Operation[], api: DescribedApi): Operation[] {
  const renderPage = createReferencePage(api.resource);
  const readSignIn = api.readSignIn ?? (async () => undefined);
  const own = [
    operation('getOpenApiDocument', 'get', '/openapi.json', {
      tag: 'Description',
      summary: 'Get this description',
      description: 'An OpenAPI 3.1 document. Needs no token, and does not count against the rate limit.',
      access: 'public',
      responses: {
        200: {
          description: 'The document',
          schema: z.looseObject({ openapi: z.string() }),
          headers: ['ETag'],
        },
      },
      handle: async () => {
        const { body, etag } = described(await readSignIn());
        return { ...ok(body), headers: { ETag: etag } };
      },
    }),
    operation('getReference', 'get', '/docs', {
      tag: 'Description',
      summary: 'Read this description',
      description: 'For browsers. Needs no token, and does not count against the rate limit.',
      access: 'public',
      responses: {
        200: {
          description: 'A page',
          schema: z.string(),
          mediaType: 'text/html',
          headers: ['Content-Security-Policy'],
        },
      },
      handle: async () => {
        const { html, policy } = renderPage(await readSignIn());
        return { ...ok(html), headers: { 'Content-Security-Policy': policy } };
      },
    }),
  ];
  let made:
    | { body: ReturnType<typeof describeApi>; etag: string; signIn: ReferenceSignIn | undefined }
    | undefined;
  /**
   * Created at the first request, because it takes longer than the rest of the start, and again when the sign-in
   * changes.
   */
  function described(signIn: ReferenceSignIn | undefined) {
    if (made && isSame(made.signIn, signIn)) return made;
    const body = describeApi([...operations, ...own], api, signIn);
    const hash = createHash('sha256').update(JSON.stringify(body)).digest('base64url');
    made = { body, etag: `"${hash}"`, signIn };
    return made;
  }
  return own;
}

const isSame = (one: ReferenceSignIn | undefined, other: ReferenceSignIn | undefined): boolean =>
  one?.authorizationUrl === other?.authorizationUrl && one?.tokenUrl === other?.tokenUrl;
