import { z } from 'zod';

const url = z.url({ protocol: /^https?$/ });

/** The configuration that the pages read at `/config.json`. It is public, and each member is optional. */
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

/**
 * `development` marks the configuration file for development, which production refuses; it is not sent to
 * browsers.
 */
export const BrowserConfigFile = z.strictObject({ development: z.boolean().default(false), ...members });
