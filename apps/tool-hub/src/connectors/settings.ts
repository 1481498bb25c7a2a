import { identifierUrl } from '@legate/service';
import { z } from 'zod';

/** Where the connectors come from */
export const connectorsEnvironment = {
  CONNECTORS_FILE: z.string().min(1).optional().meta({
    description:
      'JSON file with the connectors, for a hub that runs alone. One of this and `MANAGEMENT_API_URL`.',
    when: 'Operators of a hub without management-api.',
    example: '/config/connectors.json',
  }),
  MANAGEMENT_API_URL: identifierUrl.optional().meta({
    description:
      'Where the connectors come from; asked as the hub’s client, with the scope `internal:connectors`.',
    when: 'Operators of a hub with management-api.',
    example: 'https://api.example',
  }),
  MANAGEMENT_API_RESOURCE: identifierUrl.optional().meta({
    description: 'Its resource identifier, where that is not its URL.',
    when: 'Operators who reach management-api by an internal address, as on Kubernetes.',
  }),
};
