import { z } from 'zod';

/** Maximum number of names that are stored for one connector. */
export const MAX_LISTED_TOOLS = 500;

/** Names of tools as a binding may name them; others of a tool server are left out. */
export const ListedToolName = z
  .string()
  .min(1)
  .max(128)
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, { error: 'Must not contain control characters.' });

/** What the hub has read in a tool server's list, for whichever user: the list may have others for other users. */
export const ListedTools = z.strictObject({
  /** URL that returned this list. A list from another URL is ignored. */
  resource_url: z.string().min(1).max(2048),
  names: z.array(ListedToolName).min(1).max(MAX_LISTED_TOOLS),
});
export type ListedTools = z.output<typeof ListedTools>;
