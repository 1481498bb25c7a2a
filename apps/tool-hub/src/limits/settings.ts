import { singleOrganization } from '@legate/service';
import { z } from 'zod';

/** Limits of callers (docs/operations/limits.md) */
export const limitsEnvironment = {
  REQUESTS_PER_MINUTE: z.coerce.number().int().min(1).max(100_000_000).default(300).meta({
    description: 'Requests per minute of an organization whose plan is unknown, as with `CONNECTORS_FILE`.',
    when: 'Operators of a hub without management-api.',
  }),
  SINGLE_ORGANIZATION: singleOrganization,
  MEMORY_BUDGET_MB: z.coerce.number().int().min(128).max(65_536).default(256).meta({
    description:
      'Megabytes (2^20 bytes) of memory for requests in this process: bodies, responses of tool servers, and output that clients have not read yet. The process needs about 300 MB besides.',
    when: 'Operators whose containers have more or less memory than 768 MB: use their limit minus 350 MB.',
  }),
};

export type LimitsSettings = Readonly<z.output<z.ZodObject<typeof limitsEnvironment>>>;
