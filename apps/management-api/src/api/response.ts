import type { Response } from 'express';
import type { z } from 'zod';
import type { Answer } from './answer.ts';

/** Headers that only some responses have: the code that makes them sets them on `res`. */
type Sometimes = 'Set-Cookie' | 'Link';

/** Headers of responses, besides the common ones. */
export type ResponseHeader =
  | 'ETag'
  | 'Location'
  | 'Set-Cookie'
  | 'Content-Security-Policy'
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
}

export type SuccessResponses = Readonly<Partial<Record<200 | 201 | 202 | 204 | 302 | 303, SuccessResponse>>>;

/** The answer that a declared response requires, including headers. */
export type AnswerOf<Responses extends SuccessResponses> = {
  [Status in keyof Responses & number]: { readonly status: Status } & (Responses[Status] extends {
    readonly schema: infer Schema extends z.ZodType;
  }
    ? { readonly body: z.output<Schema> }
    : { readonly body?: undefined }) &
    (Responses[Status] extends { readonly headers: readonly (infer Header extends ResponseHeader)[] }
      ? { readonly headers: Readonly<Record<Exclude<Header, Sometimes>, string>> }
      : { readonly headers?: undefined });
}[keyof Responses & number];

/** @returns what sends an operation's answers, in the media type that is declared for each */
export function createSend(responses: SuccessResponses): (res: Response, answer: Answer) => void {
  const mediaTypes = new Map(
    Object.entries(responses).map(([status, response]) => [Number(status), response?.mediaType]),
  );
  return (res, answer) => {
    res.status(answer.status);
    if (answer.headers) res.set(answer.headers);
    if (answer.body === undefined) return void res.end();
    const mediaType = mediaTypes.get(answer.status);
    if (mediaType === undefined) res.json(answer.body);
    else res.type(mediaType).send(answer.body);
  };
}
