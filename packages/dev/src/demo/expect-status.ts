import { type Exchange, member } from './http.ts';

/** The stack did not behave as expected; the demo stops there. */
export class DemoFailed extends Error {
  override readonly name = 'DemoFailed';
}

export function expectStatus(exchange: Exchange, status: number, what: string): Exchange {
  if (exchange.status === status) return exchange;
  throw new DemoFailed(`${what} answered ${exchange.status}: ${JSON.stringify(exchange.answer)}`);
}

/** The code of a refusal: OAuth `error`, problem `code`, or the `error` of a bearer challenge. */
export function codeOf({ answer, answerHeaders }: Exchange): string | undefined {
  const challenge = /error="([^"]+)"/.exec(answerHeaders.get('www-authenticate') ?? '')?.[1];
  const code = member(answer, 'code') ?? member(answer, 'error');
  return typeof code === 'string' ? code : challenge;
}
