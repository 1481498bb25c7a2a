import {
  type AccessTokenClaims,
  accessToken,
  clientAssertion,
  createLocalKeys,
  createTokenVerifier,
  type VerifyToken,
} from '@legate/jwt';
import { createIssuerKeySet, type RegisteredClient, secretHashesOf } from '@legate/oauth';
import type { WorkloadEntry } from './workload-entry.ts';

/** One operation for which a workload may get a token. */
export interface GrantableOperation {
  readonly name: string;
  /** The scope of the subject token that covers it */
  readonly subjectScope: string;
  /** Members of `request_details` that go into the token */
  readonly details: readonly string[];
}

/** A service that exchanges the access tokens it was called with. */
export interface RequestingWorkload extends RegisteredClient {
  /** Audience → operation → requirements of the operation */
  readonly services: ReadonlyMap<string, ReadonlyMap<string, GrantableOperation>>;
  /** Members of `request_context` that go into the token */
  readonly context: readonly string[];
  readonly lifetimeSeconds: number;
  /** Access tokens that its own authorization server issued for it, and no others */
  readonly verifySubjectToken: VerifyToken<AccessTokenClaims>;
}

/** @returns a function to call after each fetch of this issuer's keys */
export type OnKeysRead = (issuer: string) => (outcome: 'read' | 'failed') => void;

/**
 * @param options.issuer our issuer: the audience of `client_assertion`s
 * @throws {Error} for a JWKS that cannot be used
 */
export function registerWorkloads(
  entries: readonly WorkloadEntry[],
  options: {
    issuer: string;
    getJson: (url: string) => Promise<unknown>;
    onKeysRead?: OnKeysRead | undefined;
    clock: () => Date;
  },
): ReadonlyMap<string, RequestingWorkload> {
  return new Map(entries.map((entry) => [entry.client_id, registerWorkload(entry, options)]));
}

function registerWorkload(
  entry: WorkloadEntry,
  { issuer, getJson, onKeysRead, clock }: Parameters<typeof registerWorkloads>[1],
): RequestingWorkload {
  const { client_id: clientId, subject_issuer: subject, jwks } = entry;
  const keys = createIssuerKeySet({
    issuer: subject.issuer,
    jwksUri: subject.jwks_uri,
    getJson,
    clock,
    onRead: onKeysRead?.(subject.issuer),
  });
  return {
    clientId,
    secretHashes: secretHashesOf(entry),
    isPublic: false,
    ...(jwks && {
      verifyAssertion: createTokenVerifier(clientAssertion, {
        issuers: [{ issuer: clientId, keys: createLocalKeys(jwks) }],
        audience: issuer, // RFC 7523bis: only the issuer
        clock,
      }),
    }),
    services: new Map(
      entry.services.map(({ audience, operations }) => [
        audience,
        new Map(
          operations.map(({ name, subject_scope, details }) => [
            name,
            { name, subjectScope: subject_scope, details },
          ]),
        ),
      ]),
    ),
    context: entry.context,
    lifetimeSeconds: entry.lifetime_seconds,
    verifySubjectToken: createTokenVerifier(accessToken, {
      issuers: [{ issuer: subject.issuer, keys }],
      audience: subject.audience,
      clock,
    }),
  };
}
