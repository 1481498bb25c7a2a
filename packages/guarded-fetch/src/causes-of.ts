/** One of the errors or responses in a chain of causes */
export type Cause = {
  readonly name?: unknown;
  readonly code?: unknown;
  readonly status?: unknown;
  readonly headers?: unknown;
  readonly cause?: unknown;
};

const MAX_LENGTH = 6;

/**
 * Returns an error, its cause, the cause of that, and so on, because `fetch` puts the code of a failed connection
 * there. Returns only errors and responses: in a body from the peer, `status` and `code` may have any value.
 */
export function causesOf(err: unknown): Cause[] {
  const chain: Cause[] = [];
  for (let link = err; isErrorOrAnswer(link) && chain.length < MAX_LENGTH; link = link.cause) {
    const { name, code, status, headers, cause } = link;
    chain.push({ name, code, status, headers, cause });
  }
  return chain;
}

const isErrorOrAnswer = (value: unknown): value is Cause =>
  /^\[object (Error|DOMException|Response)\]$/.test(Object.prototype.toString.call(value));
