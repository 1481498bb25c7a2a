import { OrganizationId } from '@legate/ids';
import { z } from 'zod';

/** `tctx`: the user's organization and roles, and the parameters of the operation. */
export const TransactionContext = z
  .object({ organization_id: OrganizationId, roles: z.array(z.string()).optional() })
  .catchall(z.union([z.string(), z.number(), z.boolean()]));

/** Members of `tctx` and `rctx` that the issuer writes: no workload may choose them. */
export const RESERVED = { details: Object.keys(TransactionContext.shape), context: ['client_id'] };
