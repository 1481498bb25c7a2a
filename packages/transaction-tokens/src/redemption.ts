import { epochSeconds } from '@legate/jwt';
import type { Transaction } from './verify-transaction.ts';

export type Redemption = 'redeemed' | 'other_operation' | 'other_parameters' | 'used';

/**
 * Checks that a request is the one that a transaction token was issued for: the same operation, with the same
 * parameters, and only once. Call it after all other checks, so that only the intended request uses up a token.
 * @param deps.useOnce `createUseOnce` of `@legate/secure-store`, shared by all replicas. What it throws is rethrown,
 * and then nothing may pass
 */
export function createRedemption(deps: {
  useOnce: (parts: readonly string[], ttlSeconds: number) => Promise<boolean>;
  clock: () => Date;
}) {
  /** @param request its operation, if transaction tokens may be used for it, and its parameters as they were sent */
  return async (
    { issuer, txn, jti, scope, parameters, acceptedUntil }: Transaction,
    request: {
      readonly operation: string | undefined;
      readonly parameters: Readonly<Record<string, unknown>>;
    },
  ): Promise<Redemption> => {
    if (request.operation !== scope) return 'other_operation';
    if (!isSame(request.parameters, parameters)) return 'other_parameters';
    const ttlSeconds = acceptedUntil - epochSeconds(deps.clock());
    return (await deps.useOnce([issuer, txn, jti], ttlSeconds)) ? 'redeemed' : 'used';
  };
}

/** A repeated parameter is an array, and equals no text. */
function isSame(sent: Readonly<Record<string, unknown>>, signed: Readonly<Record<string, string>>): boolean {
  const names = Object.keys(sent);
  return (
    names.length === Object.keys(signed).length &&
    names.every((name) => Object.hasOwn(signed, name) && sent[name] === signed[name])
  );
}
