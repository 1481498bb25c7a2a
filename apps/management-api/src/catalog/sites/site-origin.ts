import { z } from 'zod';
import { Instant } from '../../domain/instant.ts';
import { AllowedOrigin } from './allowed-origin.ts';

/** An origin of a site. `expires_at` is in ISO 8601, or null if the origin does not expire. */
export const SiteOrigin = z
  .strictObject({ origin: z.string(), expires_at: Instant.nullable() })
  .meta({ id: 'SiteOrigin', description: 'An origin that may embed the agents of a site.' });
export type SiteOrigin = z.output<typeof SiteOrigin>;

const MAX_DAYS_AHEAD = 30;
const DAY_MS = 24 * 3600 * 1000;

/** Returns the schema of a temporary origin, such as that of a preview deployment. */
export function addOriginSchema(now: Date) {
  const latest = now.getTime() + MAX_DAYS_AHEAD * DAY_MS;
  return z.strictObject({
    origin: AllowedOrigin,
    expires_at: z.iso
      .datetime({ offset: true, abort: true })
      .transform((text) => new Date(text))
      .refine((time) => time.getTime() > now.getTime() && time.getTime() <= latest, {
        error: `Must be in the future, at most ${MAX_DAYS_AHEAD} days ahead.`,
        params: { code: 'out_of_range' },
      })
      .transform((time) => time.toISOString())
      .nullable()
      .default(null),
  });
}
export type AddOrigin = z.output<ReturnType<typeof addOriginSchema>>;

export const RemoveOrigin = z.strictObject({ origin: AllowedOrigin });

/** An origin to check. Any text is accepted, because the response explains that it is not a valid origin. */
export const CheckOrigin = z.strictObject({ origin: z.string().max(2048) });

export const OriginCheck = z
  .strictObject({
    allowed: z.boolean(),
    normalized: z
      .string()
      .nullable()
      .describe('The origin as browsers send it in `Origin`; `null` if it is not an origin'),
    matched: z.string().nullable().describe('The entry of the site that allows it'),
    reason: z
      .string()
      .nullable()
      .describe(
        'Why it is not allowed: `origin_not_allowed`, `origin_expired`, or the code of a fault in it; `null` if it is allowed',
      ),
  })
  .meta({ id: 'OriginCheck', description: 'Whether an origin may embed agents, and the reason if not.' });
export type OriginCheck = z.output<typeof OriginCheck>;
