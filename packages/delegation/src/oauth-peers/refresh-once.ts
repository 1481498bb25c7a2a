import type { Sent } from './sent-token.ts';

/**
 * Tokens that are kept in a store, and refreshed by any of several processes.
 * @typeParam Kept the tokens as they were read
 * @typeParam Claimed the same for the process that may send their refresh token
 */
export interface Rotation<Kept, Claimed, Tokens, Failure, Outcome> {
  /** @returns undefined where a refresh is needed. @param waits how often it was waited for another process */
  settled(kept: Kept, waits: number): Outcome | undefined | Promise<Outcome | undefined>;
  /** Takes the right to send, in one atomic step that succeeds once. @returns undefined where another process has taken it */
  claim(kept: Kept): Promise<Claimed | undefined>;
  send(claimed: Claimed): Promise<Sent<Tokens, Failure>>;
  /** Writes the new tokens over those that were claimed, and over no others. */
  keep(claimed: Claimed, tokens: Tokens): Promise<Outcome>;
  /** `invalid_grant`: what was consented to is over. */
  end(claimed: Claimed): Promise<Outcome>;
  /** Another error: the client may not refresh. */
  refuse(claimed: Claimed, failure: Failure): Promise<Outcome>;
  /** Gives the right back, since the token was certainly not taken. */
  release(claimed: Claimed, failure: Failure): Promise<Outcome>;
  /** Sees to it that the token, which may have been used, is never sent again. */
  lose(claimed: Claimed, failure: Failure): Promise<Outcome>;
  /** Sees to it that a token which was used, but whose answer is not usable, is never sent again. */
  spoil(claimed: Claimed, failure: Failure): Promise<Outcome>;
  pause(waits: number): Promise<void>;
  /** @returns what is kept by now; undefined where it has ended */
  findAgain(kept: Kept): Promise<Kept | undefined>;
  gone(): Outcome;
  /** Returns whether the process that has the right has had time enough to answer. */
  isAbandoned(kept: Kept, waits: number): boolean;
  /** Sees to it that the token of a process that has not answered is never sent again. */
  giveUp(kept: Kept): Promise<Outcome>;
}

/**
 * Refreshes with rotation, so that no refresh token is ever sent twice, by however many processes: an authorization server
 * takes a second use for theft, and ends all that the user has consented to (RFC 9700 §4.14.2).
 *
 * The right to send is taken in the store, once for each generation of tokens, and does not expire: a lock that does could
 * run out under its holder. The others wait for the next generation. Where none appears, nobody knows whether the token was
 * used, so it is given up and not sent.
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
