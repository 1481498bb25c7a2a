import { z } from 'zod';

export const DEFAULT_LIMIT = 20;
export const MAX_LIMIT = 100;

/**
 * Accepts plain digits only. JavaScript would also read `1e2`, `+5`, `0x10`, `10.0` and blanks as numbers, but in a
 * query they are mistakes.
 */
const DIGITS = /^\d{1,9}$/;
const MAX_OFFSET = 999_999_999;

function count(bounds: { min: number; max?: number }) {
  const number = z.number().int().min(bounds.min);
  return z
    .string()
    .regex(DIGITS, { error: 'must be a whole number of at most 9 digits', abort: true })
    .transform(Number)
    .pipe(bounds.max === undefined ? number : number.max(bounds.max));
}

/** The two query parameters of every list, to be added to the schema of a list's query. */
export const pageParameters = {
  /** Page size. A value above the maximum is an error; it is not reduced silently. */
  limit: count({ min: 1, max: MAX_LIMIT })
    .default(DEFAULT_LIMIT)
    .meta({ type: 'integer', minimum: 1, maximum: MAX_LIMIT, description: 'Page size' }),
  /** Items to skip. */
  offset: count({ min: 0 })
    .default(0)
    .meta({ type: 'integer', minimum: 0, maximum: MAX_OFFSET, description: 'Items to skip' }),
};

export interface PageRequest {
  readonly limit: number;
  readonly offset: number;
}

/** The query of a list that has only these parameters; any other parameter, or a repeated one, is refused. */
export const PageQuery = z.strictObject(pageParameters);
