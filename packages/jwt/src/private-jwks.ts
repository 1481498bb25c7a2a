import { z } from 'zod';

type AsymmetricKeyType = 'EC' | 'RSA' | 'OKP';

const FAULT = {
  RSA: 'must be a JWKS of private RSA keys',
  any: 'must be a JWKS of private keys',
} as const;

/**
 * A setting that contains a private JWKS (RFC 7517 §5) as JSON text, for `createSigningKeys`. Its error messages never
 * quote the text.
 * @param keyType `RSA` if the algorithm is fixed to one such as RS256; default any asymmetric type
 */
export function privateJwks(keyType?: 'RSA') {
  const keyTypes: readonly AsymmetricKeyType[] = keyType ? [keyType] : ['EC', 'RSA', 'OKP'];
  const Jwks = z.object({
    // `d` is the private part of all three (RFC 7518 §6.2.2 and §6.3.2, RFC 8037 §2).
    keys: z.array(z.looseObject({ kty: z.enum(keyTypes), d: z.string() })).min(1),
  });
  return z.string().transform((text, context) => {
    try {
      return Jwks.parse(JSON.parse(text));
    } catch {
      context.addIssue({ code: 'custom', message: FAULT[keyType ?? 'any'] });
      return z.NEVER;
    }
  });
}
