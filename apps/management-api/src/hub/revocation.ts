import type { AgentId, ConnectorId, OrganizationId, UserId } from '@legate/ids';
import { REVOCATION_REASON } from '@legate/management-contract';
import type { FieldChanges, NewAuditEvent } from '../domain/audit-event.ts';

/** A revocation by the tool hub; without any of the three ids it concerns the whole organization. */
export interface Revocation {
  readonly organizationId: OrganizationId;
  readonly connectorId?: ConnectorId | undefined;
  readonly userId?: UserId | undefined;
  /** Revokes no token: the hub only reloads the agent's bindings. */
  readonly agentId?: AgentId | undefined;
  /** The action that caused it, such as `connector.updated`; see `reasonOf` */
  readonly reason: string;
}

/**
 * The object that is outdated at the hub after a change. A member is not yet resolved to a user; a user need not be a
 * member.
 */
export type Concerned =
  | { readonly kind: 'organization' }
  | { readonly kind: 'connector' | 'agent' | 'member' | 'user'; readonly id: string };

/** Fields of a connector whose change ends its tokens. Its name is not one of them; neither is enabling it again. */
const TOKEN_FIELDS = [
  'resource_url',
  'mcp_url',
  'auth_method',
  'service_kind',
  'scopes',
  'step_up_scopes',
  'client_id',
  'token_endpoint_auth_method',
  'issuer',
  'audience',
  'acknowledge_legacy',
  'exchange_audience',
  'token_audience',
  'acknowledge_shared_audience',
  'fallback',
  'passthrough_audiences',
  'api_key_header',
  'ca_certificates',
  'secret',
  'fallback_secret',
] as const;

/**
 * Returns the object of a revocation, derived from the audit event, which every change must write, so that none is
 * missed.
 */
export function concernedBy({ action, targets, changes = {} }: NewAuditEvent): Concerned | undefined {
  const of = (kind: 'connector' | 'agent' | 'member' | 'user'): Concerned | undefined => {
    const id = targets.find(({ type }) => type === kind)?.id;
    return id === undefined ? undefined : { kind, id };
  };
  switch (action) {
    case 'connector.deleted':
    case REVOCATION_REASON.newSecret:
    case 'connector.secret_removed':
    case REVOCATION_REASON.fallbackApproved: // ends no token: the hub reads the connector again
      return of('connector');
    case 'connector.updated':
      return endsTokens(changes) ? of('connector') : undefined;
    case 'agent.deleted':
    case 'agent.connector_set':
    case 'agent.connector_removed':
    case REVOCATION_REASON.agentClientRemoved:
      return of('agent');
    case 'agent.updated':
      return changes.status ? of('agent') : undefined;
    case 'member.deactivated':
    case 'member.denied':
    case 'member.removed':
    case 'member.left':
      return of('member');
    case 'member.access_revoked':
      return of('member') ?? of('user');
    case 'organization.suspended':
    case 'organization.deleted':
    // All tokens have ended already: the hub only reloads the organization.
    case 'organization.reactivated':
    case 'organization.restored':
      return { kind: 'organization' };
    default:
      return undefined;
  }
}

/**
 * Returns the reason to send to the hub: it shows whether a connector only got a new secret, which cancels no running
 * call.
 */
export function reasonOf({ action, changes = {} }: NewAuditEvent): string {
  if (action !== 'connector.updated' || changes.enabled?.to === false) return action;
  const concerned = TOKEN_FIELDS.filter((field) => changes[field] !== undefined);
  const isReplaced = (field: string): boolean =>
    SECRET_FIELDS.has(field) && changes[field]?.from !== null && changes[field]?.to !== null;
  return concerned.every(isReplaced) ? REVOCATION_REASON.newSecret : action;
}

const SECRET_FIELDS: ReadonlySet<string> = new Set(['secret', 'fallback_secret']);

const endsTokens = (changes: FieldChanges): boolean =>
  changes.enabled?.to === false || TOKEN_FIELDS.some((field) => changes[field] !== undefined);
