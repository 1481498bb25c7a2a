import type { Problem } from '@legate/service';
import type { Decided } from '../domain/decision.ts';
import { CallRefused } from './call-refused.ts';

export const membershipRevoked = (): Problem =>
  new CallRefused({ leg: 'registry', rule: 'membership_revoked' }, 'membership_revoked');

/** The user has denied the application to which their ID token was issued. */
export const clientDenied = (): Problem =>
  new CallRefused({ leg: 'registry', rule: 'consent_denied' }, 'consent_denied');

/** Refuses an agent; the rule is also the code of the problem. */
export const agentRefused = (
  decided: Decided & {
    rule: 'agent_required' | 'agent_unauthenticated' | 'agent_mismatch' | 'agent_unknown' | 'agent_inactive';
  },
  detail: string,
): Problem => new CallRefused(decided, decided.rule, { detail });

/** @param isUnbound true if the organization has the connector, but the agent may not use it */
export const connectorNotFound = (isUnbound: boolean): Problem =>
  new CallRefused(
    isUnbound
      ? { leg: 'binding', rule: 'connector_not_bound' }
      : { leg: 'registry', rule: 'connector_unknown' },
    'connector_not_found',
  );

export const organizationSuspended = (): Problem =>
  new CallRefused({ leg: 'registry', rule: 'organization_suspended' }, 'organization_suspended');

export const connectorsUnavailable = (cause: unknown): Problem =>
  new CallRefused({ leg: 'registry', rule: 'connectors_unavailable' }, 'connectors_unavailable', {
    detail: 'The connectors of your organization are currently unavailable. Try again.',
    headers: { 'Retry-After': '5' },
    cause,
  });
