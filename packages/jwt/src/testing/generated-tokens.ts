import { Choice, type Note } from './choice.ts';
import { bytesOf, changeText } from './faults-of-encoding.ts';
import { claimsFor, headerFor } from './headers-and-claims.ts';
import { createKeys, keySetsOf, signatureFor } from './keys-and-signatures.ts';

/** Slow algorithms occur less often. */
const ALGORITHMS = ['ES256', 'ES256', 'ES384', 'PS256', 'RS256', 'EdDSA', 'Ed25519', 'Ed25519'] as const;

export interface GeneratedToken {
  readonly token: string;
  /** What was done to it, in words */
  readonly history: readonly string[];
}

/** Generates tokens that a verifier must accept or refuse, each from a seed of its own. */
export function createTokenGenerator() {
  const keys = createKeys();
  const strangersJwk = keys.stranger['P-256'].publicKey.export({ format: 'jwk' });
  return {
    keySets: keySetsOf(keys),
    generate(seed: number): GeneratedToken {
      const choice = new Choice(seed);
      const history: string[] = [];
      const note: Note = (what) => void history.push(what);
      const alg = choice.of(ALGORITHMS);
      const header = bytesOf(choice, note, headerFor(choice, note, { alg, strangersJwk }));
      const claims = bytesOf(choice, note, claimsFor(choice, note));
      const input = `${header.toString('base64url')}.${claims.toString('base64url')}`;
      const signed = `${input}.${signatureFor(choice, note, keys, alg, input).toString('base64url')}`;
      return { token: choice.chance(0.25) ? changeText(choice, note, signed) : signed, history };
    },
  };
}
