import { clientAssertion, createLocalKeys, createTokenVerifier } from '@legate/jwt';
import type { RegisteredClient } from '@legate/oauth';
import type { JSONWebKeySet } from 'jose';

/** @throws {Error} if the JWKS cannot be used */
export type VerifyAssertionBy = (
  clientId: string,
  jwks: JSONWebKeySet,
) => NonNullable<RegisteredClient['verifyAssertion']>;

/** Verifies clients' assertions for this authorization server by the clients' own keys (RFC 7523 §3). */
export const createAssertionVerifiers =
  (deps: { issuer: string; clock: () => Date }): VerifyAssertionBy =>
  (clientId, jwks) =>
    createTokenVerifier(clientAssertion, {
      issuers: [{ issuer: clientId, keys: createLocalKeys(jwks) }],
      audience: deps.issuer, // RFC 7523bis: only the issuer
      clock: deps.clock,
    });
