import { identifierUrl, SHARED_SETTINGS } from '@legate/service';
import { z } from 'zod';

/** Settings for the source of the connectors */
export const connectorsEnvironment = {
  CONNECTORS_FILE: z.string().min(1).optional().meta({
    description: 'JSON file with the connectors. Set either this or `MANAGEMENT_API_URL`.',
    when: 'Operators of a hub without management-api.',
    example: '/config/connectors.json',
  }),
  MANAGEMENT_API_URL: identifierUrl.optional().meta(SHARED_SETTINGS.MANAGEMENT_API_URL),
  MANAGEMENT_API_RESOURCE: identifierUrl.optional().meta(SHARED_SETTINGS.MANAGEMENT_API_RESOURCE),
};

export type ConnectorsSettings = Readonly<z.output<z.ZodObject<typeof connectorsEnvironment>>>;
