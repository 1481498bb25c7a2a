import { membersAtFault, shownValue } from '@legate/oauth';
import { decodeJwt, decodeProtectedHeader, type JWTPayload } from 'jose';
import { z } from 'zod';

/** A member that decides nothing by its absence: null is absence too. */
const nullable = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullish().transform((value) => value ?? undefined);

/**
 * Claims of the ID-JAG, unverified: the tool server checks the signature. The checks of the hub only avoid passing on a
 * token for another purpose. Claims for the tool server alone, such as `sub_id`, `aud_sub` and `aud_tenant`, are not read.
 */
const IdJagClaims = z.looseObject({
  iss: z.string(),
  sub: z.string().min(1),
  aud: z.union([z.string(), z.array(z.string()).length(1)]),
  client_id: z.string(),
  resource: nullable(z.union([z.string(), z.array(z.string()).min(1)])),
  scope: nullable(z.string()),
  exp: z.number(),
  act: nullable(z.unknown()),
  cnf: nullable(z.unknown()),
});
export type IdJagClaims = z.output<typeof IdJagClaims>;

/** @returns the content, or the reason why the token cannot be read */
export function readIdJag(token: string): { typ: string; claims: IdJagClaims } | string {
  let typ: unknown;
  let claims: JWTPayload;
  try {
    ({ typ } = decodeProtectedHeader(token));
    claims = decodeJwt(token);
  } catch {
    return 'it is not a JWT';
  }
  if (typeof typ !== 'string') return `its typ is ${shownValue(typ)}`;
  const parsed = IdJagClaims.safeParse(claims);
  if (!parsed.success) return `of its claims ${membersAtFault(parsed.error, claims)}`;
  // RFC 7515 §4.1.9: case is not significant and `application/` may be there.
  return { typ: typ.toLowerCase().replace(/^application\//, ''), claims: parsed.data };
}
