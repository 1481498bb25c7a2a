import type { AgentId, ConnectorId, OrganizationId, UserId } from '@legate/ids';
import { REVOCATION_REASON } from '@legate/management-contract';
import type { FieldChanges, NewAuditEvent } from '../domain/audit-event.ts';

/** What the tool hub must forget: with none of the three, all that it keeps for the organization. */
export interface Revocation {
  readonly organizationId: OrganizationId;
  readonly connectorId?: ConnectorId | undefined;
  readonly userId?: UserId | undefined;
  /** No token: the hub reads anew what the agent may do. */
  readonly agentId?: AgentId | undefined;
  /** The action that it follows from, such as `connector.updated`; `reasonOf` */
  readonly reason: string;
}

/** What of the hub's is out of date after a change; a member is not yet a user. */
export type Concerned =
  | { readonly kind: 'organization' }
  | { readonly kind: 'connector' | 'agent' | 'member'; readonly id: string };

/** Fields of a connector for which tokens were obtained. Its name is not one; neither is that it is enabled again. */
const TOKEN_FIELDS = [
  'resource_url',
  'auth_method',
  'service_kind',
  'scopes',
  'step_up_scopes',
  'client_id',
  'issuer',
  'acknowledge_legacy',
  'fallback',
  'passthrough_audiences',
  'api_key_header',
  'ca_certificates',
  'secret',
  'fallback_secret',
] as const;

/** Every change is told of by an event, so that none can be forgotten here that is not forgotten there. */
export function concernedBy({ action, targets, changes = {} }: NewAuditEvent): Concerned | undefined {
  const of = (kind: 'connector' | 'agent' | 'member'): Concerned | undefined => {
    const id = targets.find(({ type }) => type === kind)?.id;
    return id === undefined ? undefined : { kind, id };
  };
  switch (action) {
    case 'connector.deleted':
    case REVOCATION_REASON.newSecret:
    case 'connector.secret_removed':
    case REVOCATION_REASON.fallbackApproved: // ends no token: the hub reads the connector anew
      return of('connector');
    case 'connector.updated':
      return endsTokens(changes) ? of('connector') : undefined;
    case 'agent.deleted':
    case 'agent.connector_set':
    case 'agent.connector_removed':
      return of('agent');
    case 'agent.updated':
      return changes.status ? of('agent') : undefined;
    case 'member.removed':
      return of('member');
    case 'organization.deleted':
      return { kind: 'organization' };
    default:
      return undefined;
  }
}

/** What the hub is told: whether a connector has but a new secret in the place of its old one, which cuts no call short. */
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
