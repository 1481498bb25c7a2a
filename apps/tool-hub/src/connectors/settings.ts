import { identifierUrl } from '@legate/service';
import { z } from 'zod';

/** Where the connectors come from */
export const connectorsEnvironment = {
  CONNECTORS_FILE: z.string().min(1).optional().meta({
    description: 'JSON file with the connectors. Set either this or `MANAGEMENT_API_URL`.',
    when: 'Operators of a hub without management-api.',
    example: '/config/connectors.json',
  }),
  MANAGEMENT_API_URL: identifierUrl.optional().meta({
    description:
      'URL of management-api, which provides the connectors. The hub calls it with its own client and the scope `internal:connectors`.',
    when: 'Operators of a hub with management-api.',
    example: 'https://api.example',
  }),
  MANAGEMENT_API_RESOURCE: identifierUrl.optional().meta({
    description: 'Resource identifier of management-api, if it differs from that URL.',
    when: 'Operators who reach management-api by an internal address, as on Kubernetes.',
  }),
};

export type ConnectorsSettings = Readonly<z.output<z.ZodObject<typeof connectorsEnvironment>>>;
