import { pageParameters } from '@legate/pagination';
import { z } from 'zod';
import { AllowedOrigin } from './allowed-origin.ts';
import { DisplayName } from './display-name.ts';

const MAX_ORIGINS = 50;

/** The four fields of the product's specification, section 2, and no other. */
export const Site = z.strictObject({
  id: z.string(),
  name: z.string(),
  /** Nobody may embed where it is empty. */
  allowed_origins: z.array(z.string()),
  /** ISO 8601, UTC, milliseconds */
  created_at: z.iso.datetime({ precision: 3 }),
});
export type Site = z.output<typeof Site>;

export const CreateSite = z.strictObject({
  name: DisplayName,
  allowed_origins: z
    .array(AllowedOrigin)
    .max(MAX_ORIGINS)
    .default([])
    // Two spellings of one origin; the first position is kept.
    .transform((origins) => [...new Set(origins)]),
});
export type CreateSite = z.output<typeof CreateSite>;

export const ListSites = z.strictObject(pageParameters);
export const NoQuery = z.strictObject({});
