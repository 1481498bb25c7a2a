import { z } from 'zod';

const url = z.url({ protocol: /^https?$/ });

/** What the pages read as `/config.json`: public, and each member optional. */
const members = {
  name: z.string().min(1).max(60).optional(),
  environment: z.string().min(1).max(30).optional(),
  /** The hub's URL in snippets to copy; no page calls it. */
  tool_hub_url: url.optional(),
  management_api_url: url.optional(),
  docs_url: url.optional(),
  identity_provider_name: z.string().min(1).max(60).optional(),
  features: z
    .strictObject({ invitations: z.boolean().optional(), domains: z.boolean().optional() })
    .optional(),
};
export type BrowserConfig = z.output<z.ZodObject<typeof members>>;

/** `development` marks the file of the scene, which production refuses; browsers are not told. */
export const BrowserConfigFile = z.strictObject({ development: z.boolean().default(false), ...members });
