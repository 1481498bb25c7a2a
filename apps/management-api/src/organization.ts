import { parseArgs } from 'node:util';
import { OrganizationId, UserId } from '@legate/ids';
import { ConfigError, createLogger, startOrExit } from '@legate/service';
import { z } from 'zod';
import { createMakeChange } from './changes/change.ts';
import { databaseAddressOf, loadDatabaseConfig } from './config.ts';
import { systemAuthor } from './domain/author.ts';
import { appointOwner } from './members/appoint-owner.ts';
import { createMemberStore } from './members/store.ts';
import { withJobDatabase } from './wiring/open-storage.ts';

const USAGE = 'usage: organization.js appoint-owner --organization ID --user SUB --reason TEXT';

const AppointOwner = z.object({
  organization: OrganizationId,
  user: UserId,
  reason: z.string().trim().min(1).max(500),
});

/** The operator's command for an organization that nobody in it can help. */
startOrExit(async () => {
  const { organization, user, reason } = readArguments();
  const config = loadDatabaseConfig(process.env, { login: 'application' });
  const log = createLogger({ service: 'management-api', level: config.LOG_LEVEL });
  const address = databaseAddressOf(config);
  await withJobDatabase({ address, migrate: config.MIGRATE_ON_START, log }, async (tenants) => {
    const store = createMemberStore(tenants);
    const makeChange = createMakeChange(tenants);
    await makeChange(systemAuthor(organization), (change) => appointOwner(store, change, user, reason));
    log.info({ organization_id: organization, user_id: user }, 'an owner was appointed');
  });
}, 'no owner was appointed');

function readArguments(): z.output<typeof AppointOwner> {
  const text = { type: 'string' } as const;
  try {
    const { positionals, values } = parseArgs({
      allowPositionals: true,
      options: { organization: text, user: text, reason: text },
    });
    if (positionals.join() === 'appoint-owner') return AppointOwner.parse(values);
  } catch {
    // The usage says what is wrong.
  }
  throw new ConfigError([USAGE]);
}
