import { z } from 'zod';

/** `a, b` → `['a', 'b']` */
export const commaSeparated = z.string().transform((value) =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
);
