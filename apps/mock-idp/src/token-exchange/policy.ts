import type { OrganizationId, UserId } from '@legate/ids';
import type { Policy } from '../directory/model.ts';

/** The facts that a policy can match. */
export interface PolicyQuestion {
  readonly userId: UserId;
  readonly groups: readonly string[];
  readonly organizationId: OrganizationId | undefined;
  readonly clientId: string;
  /** The agent that acts for the user; undefined: no agent was proven */
  readonly agentId: string | undefined;
  readonly resources: readonly string[];
  readonly scopes: readonly string[];
}

export type PolicyAnswer =
  | { readonly kind: 'granted'; readonly scopes: readonly string[] }
  /** The user or the client may not use the resource, or none of the requested scopes. */
  | { readonly kind: 'denied'; readonly policyId: string }
  /** None of the requested scopes may be granted; another scope might be. */
  | { readonly kind: 'nothing_left' };

/**
 * Applies the policies to an exchange. Denials are evaluated first, whatever their order; then every narrowing rule applies,
 * so that the result is never broader than any of them. Without a matching rule, everything requested is granted.
 */
export function decide(policies: readonly Policy[], question: PolicyQuestion): PolicyAnswer {
  const matching = policies.filter((policy) => matches(policy, question));
  let scopes = question.scopes;
  for (const policy of matching) {
    if (policy.effect !== 'deny') continue;
    const taken = policy.match.scopes;
    if (!taken) return { kind: 'denied', policyId: policy.id };
    scopes = scopes.filter((scope) => !taken.includes(scope));
    if (scopes.length === 0) return { kind: 'denied', policyId: policy.id };
  }
  for (const policy of matching) {
    if (policy.effect === 'narrow') scopes = scopes.filter((scope) => policy.scopes.includes(scope));
  }
  return scopes.length > 0 ? { kind: 'granted', scopes } : { kind: 'nothing_left' };
}

function matches({ match }: Policy, question: PolicyQuestion): boolean {
  return (
    meets(match.users, [question.userId]) &&
    meets(match.groups, question.groups) &&
    meets(match.organizations, question.organizationId === undefined ? [] : [question.organizationId]) &&
    meets(match.clients, [question.clientId]) &&
    meets(match.agents, question.agentId === undefined ? [] : [question.agentId]) &&
    meets(match.resources, question.resources) &&
    meets(match.scopes, question.scopes)
  );
}

const meets = (condition: readonly string[] | undefined, values: readonly string[]): boolean =>
  condition === undefined || values.some((value) => condition.includes(value));
