import { type AgentId, type ConnectorId, Id, type SiteId } from '@legate/ids';
import { z } from 'zod';

export const MemberId = Id.brand<'MemberId'>();
export type MemberId = z.output<typeof MemberId>;

export const DomainId = Id.brand<'DomainId'>();
export type DomainId = z.output<typeof DomainId>;

export const InvitationId = Id.brand<'InvitationId'>();
export type InvitationId = z.output<typeof InvitationId>;

export const AuditEventId = Id.brand<'AuditEventId'>();
export type AuditEventId = z.output<typeof AuditEventId>;

export const ServiceAccountId = Id.brand<'ServiceAccountId'>();
export type ServiceAccountId = z.output<typeof ServiceAccountId>;

export const ApiKeyId = Id.brand<'ApiKeyId'>();
export type ApiKeyId = z.output<typeof ApiKeyId>;

export const OnboardingSessionId = z.uuid().brand<'OnboardingSessionId'>();
export type OnboardingSessionId = z.output<typeof OnboardingSessionId>;

/**
 * The ids in paths, by the names of their parameters. They are not validated: services find nothing for an
 * invalid id.
 */
export interface IdParameters {
  readonly site_id: SiteId;
  readonly agent_id: AgentId;
  readonly connector_id: ConnectorId;
  readonly domain_id: DomainId;
  readonly member_id: MemberId;
  readonly invitation_id: InvitationId;
  readonly event_id: AuditEventId;
  readonly service_account_id: ServiceAccountId;
  readonly key_id: ApiKeyId;
  readonly session_id: OnboardingSessionId;
}
