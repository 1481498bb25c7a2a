import { z } from 'zod';

/** A time as the API shows it: ISO 8601, UTC, milliseconds */
export const Instant = z.iso.datetime({ precision: 3 });
