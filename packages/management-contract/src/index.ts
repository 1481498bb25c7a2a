export {
  type AuditEvent,
  auditEvent,
  EVENT_ID,
  EventBatch,
  EventTargetType,
  Intake,
  MAX_BATCH_BYTES,
} from './audit-event.ts';
export {
  AUDIT_EVENTS,
  auditEventsUrl,
  CONNECTORS,
  connectorsUrl,
  INTERNAL_PATH,
  REVOCATIONS,
  revocationsUrl,
} from './endpoints.ts';
export { eventText, toEventText } from './event-text.ts';
export {
  Approval,
  type ConnectorRecord,
  OrganizationDocument,
  type OrganizationDocumentInput,
  OrganizationNotFound,
} from './organization-document.ts';
export { REVOCATION_REASON, RevocationRequest } from './revocation.ts';
