/** The peer's response is unusable: a redirect, too many bytes, another status, or not JSON. */
export class UnusableAnswer extends Error {
  override readonly name = 'UnusableAnswer';
  readonly code = 'ERR_UNUSABLE_ANSWER';
  constructor(
    readonly url: string,
    detail: string,
    readonly status?: number,
  ) {
    super(`${new URL(url).origin}: ${detail}`);
  }
}
