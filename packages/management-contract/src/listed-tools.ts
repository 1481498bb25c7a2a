import { z } from 'zod';

/** Maximum number of names that are stored for one connector. */
export const MAX_LISTED_TOOLS = 500;

/** A tool name that a binding may contain. Other names in a tool server's list are left out. */
export const ListedToolName = z
  .string()
  .min(1)
  .max(128)
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, { error: 'Must not contain control characters.' });

/**
 * Tool names that the hub has read in a tool server's list for one user. The list may have other tools for other users.
 */
export const ListedTools = z.strictObject({
  /** URL that returned this list. A list from another URL is ignored. */
  resource_url: z.string().min(1).max(2048),
  names: z.array(ListedToolName).min(1).max(MAX_LISTED_TOOLS),
});
export type ListedTools = z.output<typeof ListedTools>;
