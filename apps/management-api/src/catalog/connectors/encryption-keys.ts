import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type EncryptionKeys, parseEncryptionKeys } from '@legate/secure-store';
import { ConfigError } from '@legate/service';
import { type DatabaseSettings, embeddedDirOf } from '../../storage/settings.ts';
import type { ConnectorsSettings } from './settings.ts';

/**
 * Returns the keys of connector secrets. If none are configured, the embedded database uses a file next to
 * it, which is created at the first start. A database server then has no keys, because other machines could
 * not decrypt what one machine's keys have encrypted.
 * @throws {ConfigError} without the text, which is secret
 */
export function loadConnectorKeys(
  settings: ConnectorsSettings & DatabaseSettings & { readonly NODE_ENV: string },
): EncryptionKeys | undefined {
  const { CONNECTOR_ENCRYPTION_KEYS: text } = settings;
  if (text !== undefined) return parse('CONNECTOR_ENCRYPTION_KEYS', text);
  if (settings.NODE_ENV === 'production')
    throw new ConfigError(['CONNECTOR_ENCRYPTION_KEYS: required in production']);
  const directory = embeddedDirOf(settings);
  if (directory === undefined) return undefined;
  const file = `${directory.replace(/\/+$/, '')}.connector-keys`;
  return parse(file, readOrMake(file));
}

function parse(where: string, text: string): EncryptionKeys {
  try {
    return parseEncryptionKeys(text);
  } catch (err) {
    throw new ConfigError([`${where}: ${err instanceof Error ? err.message : 'malformed'}`]);
  }
}

function readOrMake(file: string): string {
  mkdirSync(dirname(file), { recursive: true });
  try {
    const text = `development:${randomBytes(32).toString('base64')}`;
    writeFileSync(file, `${text}\n`, { mode: 0o600, flag: 'wx' }); // only one of several processes creates it
    return text;
  } catch (err) {
    if (!isNodeError(err) || err.code !== 'EEXIST') throw err;
    return readFileSync(file, 'utf8').trim();
  }
}

const isNodeError = (err: unknown): err is NodeJS.ErrnoException =>
  typeof err === 'object' && err !== null && 'code' in err;
