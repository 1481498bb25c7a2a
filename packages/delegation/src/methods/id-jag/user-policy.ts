import type { Caller } from '../../domain/caller.ts';
import type { Connector } from '../../domain/connector.ts';
import type { Refusal } from '../../domain/delegation.ts';
import type { IdentityProvider } from '../../oauth-peers/identity-provider.ts';
import { rememberNoObjection } from '../../oauth-peers/no-objection.ts';
import type { PeerFailure } from '../../oauth-peers/peer-failure.ts';
import type { ProveActor } from './actor-token.ts';
import { requestIdJag } from './request.ts';
import type { IdJagSettings } from './settings.ts';
import { presentSubject, type SubjectAnswer } from './subject-token.ts';
import { toDelegation } from './token-refusal.ts';

/**
 * Asks the identity provider whether it denies a user the tool server, if that server offers no way to redeem an
 * ID-JAG.
 * @returns undefined if the identity provider does not deny it, or does not know the tool server or ID-JAGs
 */
export type UserPolicy = (
  caller: Caller,
  connector: Connector,
  settings: IdJagSettings,
) => Promise<Refusal | undefined>;

/**
 * Makes the token exchange of a delegation and drops the ID-JAG. The audience cannot be derived without the tool
 * server's metadata (docs/adr/0003), so the possible audiences are tried in turn.
 */
export function createUserPolicy(deps: {
  identityProvider: () => Promise<IdentityProvider>;
  proveActor?: ProveActor | undefined;
  clock: () => Date;
}): UserPolicy {
  const objectionTo = rememberNoObjection<Refusal>(deps);

  async function failureFor(
    caller: Caller,
    { resource, scopes }: Connector,
    audience: string,
  ): Promise<Exclude<SubjectAnswer, { kind: 'answered' }> | undefined> {
    const provider = await deps.identityProvider();
    if (provider.kind !== 'found') return provider;
    const actor = await deps.proveActor?.(caller, provider.metadata.issuer);
    const answer = await presentSubject(caller, (subject) =>
      requestIdJag(provider, subject, { audience, resource, scopes, actor }),
    );
    return answer.kind === 'answered' ? undefined : answer;
  }

  async function ask(caller: Caller, connector: Connector, settings: IdJagSettings) {
    for (const audience of audiencesOf(connector, settings)) {
      const failure = await failureFor(caller, connector, audience);
      if (!failure) return undefined;
      // Without a subject token the identity provider cannot be asked, so it is unknown whether it would deny the user.
      if (failure.kind === 'not_presented') return failure.refusal;
      if (isDecision(failure)) return toDelegation('idp', failure, connector.scopes);
      if (failure.kind !== 'refused' || failure.error !== 'invalid_target') return undefined;
    }
    return undefined;
  }

  return (caller, connector, settings) => {
    const { resource, scopes } = connector;
    const key = [caller.subjectTokenId, caller.agentId, resource, scopes, settings.audience];
    return objectionTo(key, () => ask(caller, connector, settings));
  };
}

function audiencesOf({ resource }: Connector, { audience, issuer }: IdJagSettings): readonly string[] {
  if (audience !== undefined) return [audience];
  return issuer === undefined || issuer === resource ? [resource] : [resource, issuer];
}

/**
 * Other errors come from a provider that has no ID-JAGs, or none for this tool server: they contain no decision about
 * the user.
 */
function isDecision(failure: PeerFailure): boolean {
  if (failure.kind === 'unavailable') return true;
  return failure.kind === 'refused' && DECISIONS.has(failure.error);
}

const DECISIONS: ReadonlySet<string> = new Set([
  'access_denied',
  'insufficient_user_authentication',
  'invalid_grant',
  'temporarily_unavailable',
  'server_error',
  'slow_down',
]);
