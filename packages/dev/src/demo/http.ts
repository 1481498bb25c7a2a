import { createEventParser, isEventStream } from '@legate/mcp-wire';

/** One request and its response, kept complete for display. */
export interface Exchange {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Form parameters or a JSON body, as they were sent. */
  readonly form?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly status: number;
  readonly answerHeaders: Headers;
  readonly answer: unknown;
  readonly ms: number;
}

type Body = { form: Record<string, string> } | { json: unknown } | Record<string, never>;

export async function exchange(
  method: string,
  url: string,
  body: Body = {},
  headers: Record<string, string> = {},
): Promise<Exchange> {
  const init: RequestInit = { method, redirect: 'manual', signal: AbortSignal.timeout(15_000) };
  const sent: Record<string, string> = { ...headers };
  if ('form' in body && body.form) init.body = new URLSearchParams(body.form);
  if ('json' in body) {
    init.body = JSON.stringify(body.json);
    sent['Content-Type'] = 'application/json';
  }
  const startedAt = performance.now();
  const answer = await fetch(url, { ...init, headers: sent });
  const text = await answer.text();
  return {
    method,
    url,
    headers: sent,
    ...body,
    status: answer.status,
    answerHeaders: answer.headers,
    answer: parseAnswer(text, answer.headers.get('content-type') ?? ''),
    ms: performance.now() - startedAt,
  };
}

/** Returns a member of a response, or undefined if the response does not have it. */
export function member(answer: unknown, ...path: (string | number)[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      value && typeof value === 'object' ? (value as Record<string | number, unknown>)[key] : undefined,
    answer,
  );
}

/** @throws {Error} if the member is not a text */
export function text(answer: unknown, ...path: (string | number)[]): string {
  const value = member(answer, ...path);
  if (typeof value !== 'string')
    throw new Error(`the answer has no ${path.join('.')}: ${JSON.stringify(answer)}`);
  return value;
}

function parseAnswer(text: string, contentType: string): unknown {
  const json = isEventStream(contentType) ? lastEventData(text) : text;
  try {
    return JSON.parse(json);
  } catch {
    return text;
  }
}

/** An MCP server may respond with a stream of events; the last one contains the response. */
function lastEventData(stream: string): string {
  let last = '';
  const read = createEventParser({
    onEvent({ data }) {
      last = data;
    },
  });
  read(stream);
  return last;
}
