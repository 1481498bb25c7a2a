export { AgentId, ConnectorId, Id, isId, OrganizationId, SiteId, UserId } from './ids.ts';
