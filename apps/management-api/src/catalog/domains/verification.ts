import { RateLimitExceeded, type RateLimiter } from '@legate/rate-limit';
import { Problem } from '@legate/service';
import type { MakeChange } from '../../changes/change.ts';
import type { Author } from '../../domain/author.ts';
import type { DomainId } from '../../domain/ids.ts';
import { problem } from '../../domain/problem-codes.ts';
import type { Stored } from '../../domain/stored.ts';
import type { SaveCheckResult } from './check-result.ts';
import type { Domain } from './domain.ts';
import { hasRecord } from './has-record.ts';
import type { ReleaseHolder } from './release-holder.ts';
import type { Domains } from './service.ts';
import { DnsUnavailable, type TxtLookup } from './txt-lookup.ts';

/** Limit per minute and organization: each verification may query several name servers. */
const VERIFICATIONS_PER_MINUTE = 10;
const DNS_RETRY_SECONDS = 30;

/**
 * Queries the DNS for a domain's record, and verifies the domain if it exists. Otherwise the domain does not change:
 * only the daily check can end a verification, so that a request during a zone change is harmless.
 * @throws {RateLimitExceeded}
 * @throws {Problem} 404; 409 `domain_verified_elsewhere`; 503 `service_unavailable` if the DNS does not respond
 */
export type VerifyDomain = (author: Author, id: DomainId) => Promise<Stored<Domain>>;

export function createDomainVerification(deps: {
  domains: Pick<Domains, 'find'>;
  saveResult: SaveCheckResult;
  lookupTxt: TxtLookup;
  limiter: RateLimiter;
  makeChange: MakeChange;
  releaseHolder: ReleaseHolder;
}): VerifyDomain {
  const { domains, saveResult, lookupTxt, limiter, makeChange, releaseHolder } = deps;
  return async (author, id) => {
    const found = await domains.find(author.organizationId, id);
    const usage = await limiter.consume(`verify-domain:${author.organizationId}`, VERIFICATIONS_PER_MINUTE);
    if (usage.exceeded) throw new RateLimitExceeded(usage.resetAfterSeconds);
    // Outside any transaction: slow name servers must not hold a database connection.
    if (!(await hasRecord(found.value, lookupTxt).catch(refuseOutage))) return found;
    const save = () => makeChange(author, (change) => saveResult(change, id, true));
    return save().catch(async (err: unknown) => {
      if (!(err instanceof Problem) || err.code !== 'domain_verified_elsewhere') throw err;
      if (!(await releaseHolder(found.value.domain).catch(refuseOutage))) throw err;
      return save();
    });
  };
}

function refuseOutage(err: unknown): never {
  if (!(err instanceof DnsUnavailable)) throw err;
  throw problem('service_unavailable', {
    detail: 'The DNS did not respond to the query for the record. The domain is unchanged.',
    headers: { 'Retry-After': String(DNS_RETRY_SECONDS) },
    cause: err,
  });
}
