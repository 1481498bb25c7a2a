import { TokenRefused } from '@legate/jwt';
import { readBearer } from '@legate/oauth';
import type { FailureLimiter } from '@legate/rate-limit';
import { isGuess, tokenProblem } from '@legate/workload';
import type { RequestHandler } from 'express';
import type { Caller } from '../../domain/caller.ts';
import { hashOfSecretToken, SECRET_TOKEN_PREFIXES } from '../../domain/secret-token.ts';
import { setCaller } from '../authentication/caller-of-request.ts';
import type { KeyStanding } from '../standing/machine-store.ts';
import type { KeyStandings } from './key-standings.ts';
import { accountSubject } from './machine-caller.ts';

declare global {
  namespace Express {
    interface Locals {
      keyStanding?: KeyStanding;
    }
  }
}

/**
 * Authenticates a bearer token with the prefix of API keys as an API key; all other requests go to `tokens`. Unknown,
 * revoked and mistyped keys get the same response.
 * @throws {Problem} 401 `token_invalid`, or `token_expired`
 * @throws {DatabaseUnavailable} if nothing is known of the key
 */
export function authenticateKeys(deps: {
  keys: Pick<KeyStandings, 'find'>;
  tokens: RequestHandler;
  failures: FailureLimiter;
  issuer: string;
  clock: () => Date;
}): RequestHandler {
  const { keys, tokens, failures, issuer, clock } = deps;

  async function identify(key: string): Promise<KeyStanding> {
    const hash = hashOfSecretToken('apiKey', key);
    const standing = hash && (await keys.find(hash));
    if (!standing) throw tokenProblem(new TokenRefused('key'));
    if (standing.key.expiresAt <= clock()) throw tokenProblem(new TokenRefused('expired'));
    return standing;
  }

  return async (req, res, next) => {
    const key = findKey(req.headers.authorization);
    if (key === undefined) {
      await tokens(req, res, next);
      return;
    }
    try {
      const standing = await identify(key);
      res.locals.keyStanding = standing;
      setCaller(res, toCaller(standing, issuer));
    } catch (err) {
      if (isGuess(err)) await failures.recordFailure(req.ip);
      throw err;
    }
    next();
  };
}

/** Returns true for a request whose API key was found before. Costs one hash. */
export function hasKnownKey(authorization: string | undefined, keys: Pick<KeyStandings, 'isKnown'>): boolean {
  const key = findKey(authorization);
  const hash = key === undefined ? undefined : hashOfSecretToken('apiKey', key);
  return hash !== undefined && keys.isKnown(hash);
}

function findKey(authorization: string | undefined): string | undefined {
  const credentials = readBearer(authorization);
  const isKey = credentials.kind === 'token' && credentials.token.startsWith(SECRET_TOKEN_PREFIXES.apiKey);
  return isKey ? credentials.token : undefined;
}

const toCaller = ({ organization, account, key }: KeyStanding, issuer: string): Caller => ({
  issuer,
  subject: accountSubject(account),
  organizationId: organization.id,
  email: undefined,
  name: account.name,
  roles: undefined,
  scope: key.scopes.join(' '),
  credential: { kind: 'api_key', clientId: key.id, tokenId: null },
  serviceAccount: { id: account.id, name: account.name },
});
