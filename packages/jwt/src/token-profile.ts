import { z } from 'zod';
import { identifier } from './identifier.ts';

/** Epoch seconds (RFC 7519 §2 NumericDate). */
const numericDate = z.number().nonnegative();
/** One audience or several; the profile's `singleAudience` decides whether several are allowed. */
const audience = z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]);

/** The rules for one kind of token. Unknown claims are kept. */
export interface TokenProfile<Claims extends RegisteredClaims> {
  readonly kind: string;
  /** Accepted `typ` headers without the `application/` prefix; `undefined` means an absent header. */
  readonly typ: readonly (string | undefined)[];
  /** Clock skew in seconds granted to `exp`, `nbf` and `iat`. */
  readonly skewSeconds: number;
  /** Longest `exp - iat` in seconds; longer-lived tokens are refused. */
  readonly maxLifetimeSeconds?: number;
  /** True if `aud` must name exactly one audience. */
  readonly singleAudience: boolean;
  readonly claims: z.ZodType<Claims>;
  /**
   * Checks signed claims before their audience, times and types, so that a token of another kind is reported as such,
   * even if something else is wrong with it.
   * @throws {TokenRefused} `typ` or `audience`
   */
  readonly checkSigned?: (claims: Readonly<Record<string, unknown>>) => void;
}

export interface RegisteredClaims {
  iss: string;
  /** Required in every profile except the logout token's, which may name only a session */
  sub?: string | undefined;
  aud: string | string[];
  exp: number;
  iat: number;
  nbf?: number | undefined;
}

/** The schemas of `RegisteredClaims` */
export const registered = {
  iss: z.string().min(1),
  sub: identifier,
  aud: audience,
  exp: numericDate,
  iat: numericDate,
  nbf: numericDate.optional(),
};
