import { areClientsDistinct } from '@legate/oauth';
import { ConfigError, clientSecretFaults, readJsonFile } from '@legate/service';
import { WorkloadEntry } from '@legate/transaction-tokens';
import { z } from 'zod';

/** The file of the Transaction Token Service: which workload gets which tokens */
export const TransactionTokensFile = z.strictObject({
  /** True for a file whose secrets are public; refused in production. */
  development: z.boolean().default(false),
  workloads: z.array(WorkloadEntry).refine(areClientsDistinct, { error: 'must not name a client twice' }),
});

/** @throws {ConfigError} with every fault and its place in the file, and no value */
export function readTransactionTokensFile(
  path: string,
  options: { env: NodeJS.ProcessEnv; production: boolean },
): readonly WorkloadEntry[] {
  const file = readJsonFile(path, TransactionTokensFile, options.env);
  if (file.development && options.production)
    throw new ConfigError([`${path}: a development configuration is refused in production`]);
  const faults = options.production ? clientSecretFaults(path, file.workloads) : [];
  if (faults.length > 0) throw new ConfigError(faults);
  return file.workloads;
}
