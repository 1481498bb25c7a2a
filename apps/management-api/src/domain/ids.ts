import { type AgentId, type ConnectorId, Id, type SiteId } from '@legate/ids';
import { z } from 'zod';

export const MemberId = Id.brand<'MemberId'>();
export type MemberId = z.output<typeof MemberId>;

export const DomainId = Id.brand<'DomainId'>();
export type DomainId = z.output<typeof DomainId>;

export const AuditEventId = Id.brand<'AuditEventId'>();
export type AuditEventId = z.output<typeof AuditEventId>;

export const OnboardingSessionId = z.uuid().brand<'OnboardingSessionId'>();
export type OnboardingSessionId = z.output<typeof OnboardingSessionId>;

/** The ids in paths, by the names of their parameters. They are as they were sent: services find nothing for what is no id. */
export interface IdParameters {
  readonly site_id: SiteId;
  readonly agent_id: AgentId;
  readonly connector_id: ConnectorId;
  readonly domain_id: DomainId;
  readonly member_id: MemberId;
  readonly event_id: AuditEventId;
  readonly session_id: OnboardingSessionId;
}
