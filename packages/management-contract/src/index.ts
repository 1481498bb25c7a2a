export * from './audit-event.ts';
export * from './endpoints.ts';
export * from './event-text.ts';
export * from './listed-tools.ts';
export * from './organization-changes.ts';
export * from './organization-document.ts';
export * from './revocation.ts';
export * from './slug.ts';
