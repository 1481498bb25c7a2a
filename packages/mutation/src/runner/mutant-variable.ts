import { z } from 'zod';

/** The environment variable in which the worker passes the active mutant to the transform. */
export const MUTANT_VARIABLE = 'LEGATE_MUTANT';

/** A mutant as the compiling transform needs it; `path` is absolute. */
export const ActiveMutant = z.object({
  id: z.string(),
  path: z.string(),
  start: z.number(),
  end: z.number(),
  replacement: z.string(),
});

export type ActiveMutant = z.output<typeof ActiveMutant>;

export function readActiveMutant(text: string | undefined): ActiveMutant | undefined {
  return text ? ActiveMutant.parse(JSON.parse(text)) : undefined;
}
