import { z } from 'zod';

/** What the parent process asks a target's probe for. */
export const ProbeRequest = z.discriminatedUnion('ask', [
  z.object({ ask: z.literal('usage') }),
  z.object({ ask: z.literal('start-profile') }),
  z.object({ ask: z.literal('stop-profile'), path: z.string() }),
]);
export type ProbeRequest = z.output<typeof ProbeRequest>;

/** The process's own accounting, all its threads, since its start. */
export const Usage = z.object({ cpuMs: z.number(), peakMemoryMb: z.number() });
export type Usage = z.output<typeof Usage>;

export const ProbeAnswer = z.object({ usage: Usage });
