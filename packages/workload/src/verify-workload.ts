import {
  cacheVerified,
  createTokenVerifier,
  KeysUnavailable,
  type TokenProfile,
  type TrustedIssuer,
} from '@legate/jwt';
import { formatBearerChallenge, readBearer } from '@legate/oauth';
import { z } from 'zod';
import { requireBearer, tokenProblem } from './bearer.ts';
import { problem } from './problems.ts';
import type { Workloads } from './workloads.ts';

/** A service that calls as itself. */
export interface Workload {
  readonly clientId: string;
  /** The scopes that its token has and the configuration allows. */
  readonly scopes: ReadonlySet<string>;
}

/** @throws {Problem} 401, 403 or 503 */
export type VerifyWorkload = (authorization: string | undefined) => Promise<Workload>;

/** A verifier that caches verified tokens. */
export type CachedVerifyWorkload = VerifyWorkload & {
  /** Returns true for a token that was verified before and has not expired. Checks no signature. */
  isKnown(authorization: string | undefined): boolean;
};

const text = z.string().min(1).max(255);
const numericDate = z.number().nonnegative();
/** RFC 9068 §2.2 for a token that no user took part in: there `sub` is the client. */
const WorkloadClaims = z.looseObject({
  iss: z.string().min(1),
  sub: text,
  client_id: text,
  aud: z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]),
  exp: numericDate,
  iat: numericDate,
  nbf: numericDate.optional(),
  scope: z.string().optional(),
});
type WorkloadClaims = z.output<typeof WorkloadClaims>;

const workloadToken: TokenProfile<WorkloadClaims> = {
  kind: 'workload token',
  typ: ['at+jwt'],
  skewSeconds: 60,
  singleAudience: true,
  claims: WorkloadClaims,
};

/** Claims about a user; with one of them, or with that of an organization, a token is no workload's. */
const OF_A_USER = ['auth_time', 'acr', 'amr', 'email', 'name', 'roles', 'groups'];

/**
 * Admits only services with a client credentials token of the identity provider: a user's token is refused whatever
 * scope it has. A user's token names the user in `sub`, a workload's names the client in both `sub` and `client_id`;
 * and the client must be a configured one.
 * @param deps.audience our resource identifier
 * @param deps.organizationClaim the claim that names an organization in tokens of users. Default `organization_id`
 * @see RFC 9068 §2.2, §5 (a client must not be able to choose a `sub` that is taken for another kind)
 */
export function createWorkloadVerifier(deps: {
  issuer: TrustedIssuer;
  audience: string;
  workloads: Workloads;
  organizationClaim?: string | undefined;
  clock: () => Date;
}): CachedVerifyWorkload {
  const verify = cacheVerified(
    createTokenVerifier(workloadToken, {
      issuers: [deps.issuer],
      audience: deps.audience,
      clock: deps.clock,
    }),
    { clock: deps.clock, maxEntries: 1000 },
  );

  const ofAUser = [...OF_A_USER, deps.organizationClaim ?? 'organization_id'];

  const verifyWorkload: VerifyWorkload = async (authorization) => {
    const { claims } = await verify(requireBearer(authorization)).catch((err: unknown) => {
      if (!(err instanceof KeysUnavailable)) throw tokenProblem(err);
      throw problem('idp_unavailable', { headers: { 'Retry-After': '5' }, cause: err });
    });
    if (claims.sub !== claims.client_id || ofAUser.some((claim) => claims[claim] !== undefined)) {
      throw problem('workload_required', {
        detail: 'Only services may call this, with a token of their own and not of a user.',
      });
    }
    const allowed = deps.workloads.get(claims.client_id);
    if (!allowed) {
      throw problem('workload_unknown', { detail: 'This client is not one of the configured workloads.' });
    }
    const granted = (claims.scope ?? '').split(' ').filter((scope) => allowed.has(scope));
    return { clientId: claims.client_id, scopes: new Set(granted) };
  };
  return Object.assign(verifyWorkload, {
    isKnown(authorization: string | undefined) {
      const bearer = readBearer(authorization);
      return bearer.kind === 'token' && verify.isKnown(bearer.token);
    },
  });
}

/** @throws {Problem} 403 `insufficient_permission` */
export function checkWorkloadScope({ scopes }: Workload, scope: string): void {
  if (scopes.has(scope)) return;
  throw problem('insufficient_permission', {
    detail: `It takes the scope ${scope}, in the token and in the configuration of workloads.`,
    headers: { 'WWW-Authenticate': formatBearerChallenge({ error: 'insufficient_scope', scope }) },
    extensions: { required_scope: scope },
  });
}
