import { SiteId } from '@legate/ids';
import { z } from 'zod';
import { DisplayName } from '../../domain/display-name.ts';
import { Instant } from '../../domain/instant.ts';
import { resourceListParameters } from '../resources/deleted.ts';
import { AllowedOrigin } from './allowed-origin.ts';

export const MAX_ORIGINS = 50;

/** Exactly the four fields in section 2 of the product's specification. */
export const Site = z
  .strictObject({
    id: SiteId,
    name: z.string(),
    allowed_origins: z.array(z.string()).describe('Origins that may embed agents of the site. Empty: none'),
    created_at: Instant,
  })
  .meta({ id: 'Site', description: 'An application that embeds agents.' });
export type Site = z.output<typeof Site>;

const AllowedOrigins = z
  .array(AllowedOrigin)
  .max(MAX_ORIGINS)
  // Removes further spellings of the same origin; the first one keeps its position.
  .transform((origins) => [...new Set(origins)]);

export const CreateSite = z.strictObject({ name: DisplayName, allowed_origins: AllowedOrigins.default([]) });
export type CreateSite = z.output<typeof CreateSite>;

/** A merge patch. No field may be removed, so null is refused. */
export const UpdateSite = z.strictObject({
  name: DisplayName.optional(),
  allowed_origins: AllowedOrigins.optional(),
});
export type UpdateSite = z.output<typeof UpdateSite>;

export const ListSites = z.strictObject({
  ...resourceListParameters,
  search: DisplayName.optional().describe('Part of the name, in any case'),
  origin: AllowedOrigin.optional().describe('Sites that allow this origin at the moment'),
});
export type ListSites = z.output<typeof ListSites>;
