import type { Sent } from './sent-token.ts';

/**
 * Access to stored tokens that several processes may refresh.
 * @typeParam Kept the tokens as they were read
 * @typeParam Claimed the tokens as read by the process that may send their refresh token
 */
export interface Rotation<Kept, Claimed, Tokens, Failure, Outcome> {
  /** @returns undefined if a refresh is needed. @param waits how often the caller has waited for another process */
  settled(kept: Kept, waits: number): Outcome | undefined | Promise<Outcome | undefined>;
  /**
   * Claims the right to send, in one atomic step that succeeds once. @returns undefined if another process has claimed
   * it
   */
  claim(kept: Kept): Promise<Claimed | undefined>;
  send(claimed: Claimed): Promise<Sent<Tokens, Failure>>;
  /** Replaces exactly the tokens that were claimed with the new ones. */
  keep(claimed: Claimed, tokens: Tokens): Promise<Outcome>;
  /** Handles `invalid_grant`: the user's consent has ended. */
  end(claimed: Claimed): Promise<Outcome>;
  /** Handles another error: the client may not refresh. */
  refuse(claimed: Claimed, failure: Failure): Promise<Outcome>;
  /** Releases the right to send, because the token was certainly not used. */
  release(claimed: Claimed, failure: Failure): Promise<Outcome>;
  /** Ensures that the token, which may have been used, is never sent again. */
  lose(claimed: Claimed, failure: Failure): Promise<Outcome>;
  /** Ensures that a token that was used, with an unusable response, is never sent again. */
  spoil(claimed: Claimed, failure: Failure): Promise<Outcome>;
  pause(waits: number): Promise<void>;
  /** @returns the tokens that are stored now; undefined if they have ended */
  findAgain(kept: Kept): Promise<Kept | undefined>;
  gone(): Outcome;
  /** Returns true if the process with the right to send has had enough time to finish. */
  isAbandoned(kept: Kept, waits: number): boolean;
  /** Ensures that the token of a process that has not finished is never sent again. */
  giveUp(kept: Kept): Promise<Outcome>;
}

/**
 * Refreshes tokens with rotation, so that no refresh token is ever sent twice, however many processes there are: an
 * authorization server treats a second use as theft, and revokes the user's whole consent (RFC 9700 §4.14.2).
 *
 * The right to send is claimed in the store, once for each generation of tokens, and does not expire: a lock with an
 * expiry could expire while its holder still runs. The other processes wait for the next generation. If none appears,
 * it is unknown whether the token was used, so it is abandoned and not sent.
 * @see docs/adr/0059-one-rule-for-refresh-tokens.md
 */
export async function refreshOnce<Kept, Claimed, Tokens, Failure, Outcome>(
  first: Kept,
  rotation: Rotation<Kept, Claimed, Tokens, Failure, Outcome>,
): Promise<Outcome> {
  let kept = first;
  for (let waits = 0; ; waits += 1) {
    const settled = await rotation.settled(kept, waits);
    if (settled !== undefined) return settled;
    const claimed = await rotation.claim(kept);
    if (claimed !== undefined) return settle(claimed, rotation);
    if (rotation.isAbandoned(kept, waits)) return rotation.giveUp(kept);
    await rotation.pause(waits);
    const found = await rotation.findAgain(kept);
    if (found === undefined) return rotation.gone();
    kept = found;
  }
}

async function settle<Kept, Claimed, Tokens, Failure, Outcome>(
  claimed: Claimed,
  rotation: Rotation<Kept, Claimed, Tokens, Failure, Outcome>,
): Promise<Outcome> {
  const answer = await rotation.send(claimed);
  switch (answer.kind) {
    case 'refreshed':
      return rotation.keep(claimed, answer.tokens);
    case 'refused':
      return answer.error === 'invalid_grant'
        ? rotation.end(claimed)
        : rotation.refuse(claimed, answer.failure);
    case 'untouched':
      return rotation.release(claimed, answer.failure);
    case 'in_doubt':
      return rotation.lose(claimed, answer.failure);
    case 'spent':
      return rotation.spoil(claimed, answer.failure);
  }
}
