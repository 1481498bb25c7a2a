import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { PageText } from '@legate/pagination';
import type { Response } from 'express';
import type { z } from 'zod';
import type { SuccessResponses } from './declaration.ts';

/** The response of an operation; its declaration lists the permitted ones. */
export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Undefined: no body */
  readonly body?: unknown;
}

/** A body that is already JSON text, and is sent unchanged. */
export class JsonText {
  constructor(readonly text: string) {}
  toJSON(): unknown {
    return JSON.parse(this.text);
  }
}

/** A value with read-only members, which is enough for serialization */
type Immutable<T> = T extends string | number | boolean | null | undefined
  ? T
  : T extends readonly (infer Item)[]
    ? readonly Immutable<Item>[]
    : T extends object
      ? { readonly [Member in keyof T]: Immutable<T[Member]> }
      : T;

/**
 * The answer that a declared response requires, including headers.
 * @typeParam Sometimes headers that only some responses have: the handler sets them on `res`
 */
export type AnswerOf<Responses extends SuccessResponses, Sometimes extends string = never> = {
  [Status in keyof Responses & number]: { readonly status: Status } & (Responses[Status] extends {
    readonly schema: infer Schema extends z.ZodType;
  }
    ? { readonly body: z.output<Schema> | Immutable<z.output<Schema>> | JsonText }
    : Responses[Status] extends { readonly streams: readonly string[] }
      ? { readonly body: Readable }
      : { readonly body?: undefined }) &
    (Responses[Status] extends { readonly headers: readonly (infer Header extends string)[] }
      ? { readonly headers: Readonly<Record<Exclude<Header, Sometimes>, string>> }
      : { readonly headers?: undefined });
}[keyof Responses & number];

/**
 * @returns a function that sends an operation's responses, each in its declared media type. It resolves when a stream
 * has been sent, or its reader has left. If a stream fails, the connection is closed, so that a part is not mistaken
 * for the whole.
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
    else if (answer.body instanceof JsonText) sendText(res, answer.body.text);
    else if (mediaType === undefined) res.json(answer.body);
    else res.type(mediaType).send(answer.body);
    return undefined;
  };
}

/** Sends JSON text as `res.json` would, without computing its character set. */
function sendText(res: Response, json: string): void {
  res.setHeader('Content-Type', 'application/json; charset=utf-8');
  res.send(Buffer.from(json));
}

/**
 * Time within which a reader must read something of a stream. A stream occupies memory for a page and one of the
 * limited slots.
 */
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
