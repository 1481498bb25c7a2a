export const MODERN_REVISION = '2026-07-28';

/** Supported revisions of the handshake era. The client offers the first one. */
export const LEGACY_REVISIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;
export type LegacyRevision = (typeof LEGACY_REVISIONS)[number];
export type Revision = LegacyRevision | typeof MODERN_REVISION;
