import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { PageText } from '@legate/pagination';
import type { Response } from 'express';
import type { z } from 'zod';
import type { Answer } from './answer.ts';

/** Headers that only some responses have: the code that makes them sets them on `res`. */
type Sometimes = 'Set-Cookie' | 'Link' | 'Legate-Revocation';

/** Headers of responses, besides the common ones. */
export type ResponseHeader =
  | 'ETag'
  | 'Location'
  | 'Set-Cookie'
  | 'Content-Security-Policy'
  | 'Content-Disposition'
  | 'Legate-Revocation'
  | 'Link'
  | 'Legate-From';

/** A success or a redirect; refusals are `problems`. */
export interface SuccessResponse {
  readonly description: string;
  /** Default: no body. Responses are checked against it in every test, not in production. */
  readonly schema?: z.ZodType;
  /** Instead of application/json; the body is then text. */
  readonly mediaType?: string;
  readonly headers?: readonly ResponseHeader[];
  /** Instead of a schema: media types of a stream. The handler sets the one that it sends on `res`. */
  readonly streams?: readonly [string, ...string[]];
}

export type SuccessResponses = Readonly<Partial<Record<200 | 201 | 202 | 204 | 302 | 303, SuccessResponse>>>;

/** The answer that a declared response requires, including headers. */
export type AnswerOf<Responses extends SuccessResponses> = {
  [Status in keyof Responses & number]: { readonly status: Status } & (Responses[Status] extends {
    readonly schema: infer Schema extends z.ZodType;
  }
    ? { readonly body: z.output<Schema> }
    : Responses[Status] extends { readonly streams: readonly string[] }
      ? { readonly body: Readable }
      : { readonly body?: undefined }) &
    (Responses[Status] extends { readonly headers: readonly (infer Header extends ResponseHeader)[] }
      ? { readonly headers: Readonly<Record<Exclude<Header, Sometimes>, string>> }
      : { readonly headers?: undefined });
}[keyof Responses & number];

/**
 * @returns what sends an operation's answers, in the media type that is declared for each. It resolves when a stream has been
 * sent, or its reader has left; a stream that fails cuts the connection, so that no part is taken for the whole.
 */
export function createSend(
  responses: SuccessResponses,
): (res: Response, answer: Answer) => Promise<void> | undefined {
  const mediaTypes = new Map(
    Object.entries(responses).map(([status, response]) => [Number(status), response?.mediaType]),
  );
  return (res, answer) => {
    res.status(answer.status);
    if (answer.headers) res.set(answer.headers);
    if (answer.body instanceof Readable) return sendStream(res, answer.body);
    const mediaType = mediaTypes.get(answer.status);
    if (answer.body === undefined) res.end();
    else if (answer.body instanceof PageText) sendText(res, answer.body.toText());
    else if (mediaType === undefined) res.json(answer.body);
    else res.type(mediaType).send(answer.body);
    return undefined;
  };
}

/** As `res.json` sends it, but for the looking for a character set. */
function sendText(res: Response, json: string): void {
  res.setHeader('Content-Type', 'application/json; charset=utf-8');
  res.send(Buffer.from(json));
}

/** How long a reader may take nothing of a stream: it holds a page, and its place. */
const UNREAD_MS = 60_000;

async function sendStream(res: Response, body: Readable): Promise<void> {
  if (res.req.method === 'HEAD') {
    body.destroy();
    res.end();
    return;
  }
  res.setTimeout(UNREAD_MS, () => res.destroy());
  try {
    await pipeline(body, res);
  } catch (err) {
    const hasLeft = err instanceof Error && 'code' in err && err.code === 'ERR_STREAM_PREMATURE_CLOSE';
    if (!hasLeft) throw err;
  }
}
