// Types of the services' responses, derived from their OpenAPI documents.
import type { components as Management } from '@legate/client/management';
import type { components as Hub } from './hub-schema.generated.ts';

type M = Management['schemas'];
type H = Hub['schemas'];

export type Me = M['Me'];
export type Role = NonNullable<Me['role']>;
export type Organization = M['Organization'];
export type Member = M['Member'];
export type Invitation = M['Invitation'];
export type Revocation = M['Revocation'];
export type ServiceAccount = M['ServiceAccount'];
export type ApiKey = M['ApiKey'];
export type NewApiKey = M['NewApiKey'];
export type KeyScope = M['CreateApiKey']['scopes'][number];
export type RateLimit = M['RateLimit'];
export type Overview = M['Overview'];
export type CallCount = M['CallCount'];
export type AuditEvent = M['AuditEvent'];
export type Connector = M['Connector'];
export type CreateConnector = M['CreateConnector'];
export type UpdateConnector = M['UpdateConnector'];
export type Agent = M['Agent'];
export type AgentSummary = M['AgentSummary'];
export type AgentConnector = M['AgentConnector'];
export type ListedAgentConnector = M['ListedAgentConnector'];
export type PutAgentConnector = M['PutAgentConnector'];
export type PlacedAgentConnector = M['PlacedAgentConnector'];
export type Site = M['Site'];
export type SiteOrigin = M['SiteOrigin'];
export type SiteAgent = M['ListedSiteAgent'];
export type OriginCheck = M['OriginCheck'];

/** A connector as the hub offers it to the reader */
export type UsableConnector = H['Connector'];
export type Tool = H['Tool'];
export type ToolResult = H['CallToolResult'];
export type DoctorReport = H['DoctorReport'];
export type Check = H['Check'];
export type ExaminedToken = H['ExaminedToken'];
export type Rule = H['Rule'];
export type Explanation = H['Explanation'];
export type HubSession = H['Session'];
export type ConnectedAccount = H['ConnectedAccount'];
export type AllowedClient = H['AllowedClient'];

/** A page of a list */
export interface PageOf<T> {
  readonly data: readonly T[];
  readonly pagination: {
    readonly total: number;
    readonly limit: number;
    readonly offset: number;
    readonly has_more: boolean;
  };
}
