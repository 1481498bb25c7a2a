import { z } from 'zod';

/** Requests of the parent process to a target's probe. */
export const ProbeRequest = z.discriminatedUnion('ask', [
  z.object({ ask: z.literal('usage') }),
  z.object({ ask: z.literal('collect-garbage') }),
  z.object({ ask: z.literal('start-profile') }),
  z.object({ ask: z.literal('stop-profile'), path: z.string() }),
]);
export type ProbeRequest = z.output<typeof ProbeRequest>;

/** Resource usage of the process with all its threads, since its start. `heldMemoryMb`: objects and buffers, now. */
export const Usage = z.object({ cpuMs: z.number(), peakMemoryMb: z.number(), heldMemoryMb: z.number() });
export type Usage = z.output<typeof Usage>;

export const ProbeAnswer = z.object({ usage: Usage });
