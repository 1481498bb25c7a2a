import { parseArgs } from 'node:util';
import { OrganizationId, UserId } from '@legate/ids';
import { ConfigError, createLogger, startOrExit } from '@legate/service';
import { z } from 'zod';
import { loadDatabaseConfig } from './config.ts';
import { Reason } from './domain/reason.ts';
import { isOperatorCommand, OPERATOR_COMMANDS, runOperatorCommand } from './operator-commands.ts';
import { withJobDatabase, withOwnerDatabase } from './storage/open.ts';

const USAGE = Object.entries(OPERATOR_COMMANDS).map(
  ([name, { needsUser }]) =>
    `usage: organization.js ${name} --organization ID${needsUser ? ' --user SUB' : ''} --reason TEXT`,
);

const Arguments = z.strictObject({ organization: OrganizationId, user: UserId.optional(), reason: Reason });

/** The operator's commands for one organization. */
startOrExit(async () => {
  const { command, request } = readArguments();
  const { login, done } = OPERATOR_COMMANDS[command];
  const config = loadDatabaseConfig(process.env, { login });
  const log = createLogger({ service: 'management-api', level: config.LOG_LEVEL });
  const withDatabase = login === 'owner' ? withOwnerDatabase : withJobDatabase;
  await withDatabase(config, log, async (tenants) => {
    await runOperatorCommand(command, { tenants, clock: () => new Date() }, request);
    log.info({ organization_id: request.organization, user_id: request.user }, done);
  });
}, 'nothing was done');

function readArguments() {
  const text = { type: 'string' } as const;
  try {
    const { positionals, values } = parseArgs({
      allowPositionals: true,
      options: { organization: text, user: text, reason: text },
    });
    const command = positionals.join();
    const request = Arguments.parse(values);
    if (!isOperatorCommand(command)) throw new Error('unknown command');
    const { needsUser } = OPERATOR_COMMANDS[command];
    if (needsUser === (request.user !== undefined)) return { command, request };
  } catch {
    // The usage text explains what is wrong.
  }
  throw new ConfigError(USAGE);
}
