import { z } from 'zod';

/** Settings of the tools for sites, which exist only if all are set. */
export const SitesSettings = z.object({
  TOOL_HUB_URL: z.string(),
  TRANSACTION_TOKEN_CLIENT_SECRET: z.string(),
  IDP_ISSUER: z.string(),
  IDP_CLIENT_ID: z.string(),
  IDP_CLIENT_SECRET: z.string(),
  MANAGEMENT_API_URL: z.string(),
});
export type SitesSettings = Readonly<z.output<typeof SitesSettings>>;
