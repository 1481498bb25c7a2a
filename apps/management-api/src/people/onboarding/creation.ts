import type { OrganizationId } from '@legate/ids';
import type { Author } from '../../domain/author.ts';
import type { Caller } from '../../domain/caller.ts';
import { createClaims } from './claim.ts';
import type { ContextOf } from './context.ts';
import type { CsrfTokens } from './csrf.ts';
import type { IdentityDirectory } from './identity-directory.ts';
import type { CreateOrganization, OnboardingContext } from './onboarding.ts';
import type { RecordOrganization } from './organization-record.ts';
import { organizationExists } from './problems.ts';
import type { SessionStore } from './session-store.ts';

/**
 * Claims the session first, and saves that: a retry then knows that a lost attempt may have created something. Then
 * come the organization and its owner at the identity provider, then both in our database, then the next step of the
 * session. Each step finds its earlier result, so that a retry may start at the first step wherever the last attempt
 * ended.
 * @throws {Problem} 403, 404, 409, 410; 502 and 503 for failures of the identity provider
 */
export function createOrganizationCreation(deps: {
  store: SessionStore;
  directory: IdentityDirectory;
  record: RecordOrganization;
  csrf: CsrfTokens;
  contextOf: ContextOf;
  clock: () => Date;
}) {
  const { store, directory, record, csrf, contextOf, clock } = deps;
  const claims = createClaims({ store, csrf, clock });

  /** @returns the organization's id at the identity provider */
  async function createThere(
    caller: Caller,
    externalId: string,
    name: string,
    isResumed: boolean,
  ): Promise<OrganizationId> {
    if (!isResumed) return directory.createOrganization(externalId, name);
    const begun = await directory.findOrganization(externalId);
    if (begun !== undefined) return begun;
    // An earlier attempt may have created everything, and the identity provider has lost it since.
    if (await claims.hasOrganization(caller)) throw organizationExists();
    return directory.createOrganization(externalId, name);
  }

  return async (
    caller: Caller,
    request: CreateOrganization,
    authorIn: (organizationId: OrganizationId) => Author,
  ): Promise<OnboardingContext> => {
    const claim = await claims.claim(caller, request);
    const { session } = claim;
    if (claim.kind === 'replay') return contextOf(session, request.name);
    const { userId, externalId, email } = session;
    try {
      const id = await createThere(caller, externalId, request.name, claim.isResumed);
      await directory.addOwner(id, userId);
      const owner = { issuer: caller.issuer, userId, email, name: session.name };
      await record(authorIn(id), { id, name: request.name, owner });
      await claims.finish(session, id);
      return await contextOf({ ...session, organizationId: id }, request.name);
    } catch (err) {
      await claims.release(session).catch(() => undefined); // the lease expires anyway
      throw err;
    }
  };
}
