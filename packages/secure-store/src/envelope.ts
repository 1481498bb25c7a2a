import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const VERSION = 1;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
const KEY_ID = /^[A-Za-z0-9_-]{1,32}$/;

/** An entry that was altered, moved to another name, or sealed with a key that we do not have. */
export class UnreadableEntry extends Error {
  override readonly name = 'UnreadableEntry';
}

/** 256-bit keys by id. The first one encrypts; the others only decrypt, until their entries are gone or re-encrypted. */
export interface EncryptionKeys {
  readonly activeId: string;
  readonly byId: ReadonlyMap<string, Buffer>;
}

/**
 * @param text `id:base64,id:base64`; the first key is the active one
 * @throws {Error} without the text: it is a secret
 */
export function parseEncryptionKeys(text: string): EncryptionKeys {
  const entries = text.split(',').map((entry): [string, Buffer] => {
    const [id = '', encoded = '', ...rest] = entry.trim().split(':');
    const key = Buffer.from(encoded, 'base64');
    if (!KEY_ID.test(id) || key.length !== KEY_BYTES || rest.length > 0) {
      throw new Error('encryption keys must be given as id:base64 of 32 bytes, separated by commas');
    }
    return [id, key];
  });
  const byId = new Map(entries);
  const [activeId] = byId.keys();
  if (activeId === undefined || byId.size !== entries.length)
    throw new Error('encryption key ids must be distinct');
  return { activeId, byId };
}

/** A key for a store that lives and dies with the process. */
export function generateEncryptionKeys(): EncryptionKeys {
  return { activeId: 'ephemeral', byId: new Map([['ephemeral', randomBytes(KEY_BYTES)]]) };
}

/**
 * AES-256-GCM. Layout: version (1), length of key id (1), key id, nonce (12), tag (16), ciphertext. The entry's name and
 * key id are additional data, so that a ciphertext cannot be moved to another name.
 */
export function seal(keys: EncryptionKeys, name: string, plaintext: string): Buffer {
  const key = keys.byId.get(keys.activeId);
  if (!key) throw new Error('the active encryption key is missing');
  const header = headerOf(keys.activeId);
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  cipher.setAAD(additionalData(header, name));
  const ciphertext = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
  return Buffer.concat([header, iv, cipher.getAuthTag(), ciphertext]);
}

/** @throws {UnreadableEntry} */
export function open(
  keys: EncryptionKeys,
  name: string,
  sealed: Buffer,
): { plaintext: string; keyId: string } {
  const keyIdBytes = sealed[1] ?? 0;
  const headerBytes = 2 + keyIdBytes;
  if (sealed[0] !== VERSION || sealed.length < headerBytes + IV_BYTES + TAG_BYTES) {
    throw new UnreadableEntry('not a sealed entry');
  }
  const keyId = sealed.toString('latin1', 2, headerBytes);
  const key = keys.byId.get(keyId);
  if (!key) throw new UnreadableEntry('sealed with an unknown key');
  const iv = sealed.subarray(headerBytes, headerBytes + IV_BYTES);
  const tag = sealed.subarray(headerBytes + IV_BYTES, headerBytes + IV_BYTES + TAG_BYTES);
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES });
    decipher.setAAD(additionalData(sealed.subarray(0, headerBytes), name));
    decipher.setAuthTag(tag);
    const body = decipher.update(sealed.subarray(headerBytes + IV_BYTES + TAG_BYTES));
    return { plaintext: Buffer.concat([body, decipher.final()]).toString('utf8'), keyId };
  } catch (cause) {
    throw new UnreadableEntry('altered, or sealed under another name', { cause });
  }
}

function headerOf(keyId: string): Buffer {
  return Buffer.concat([Buffer.from([VERSION, keyId.length]), Buffer.from(keyId, 'latin1')]);
}

function additionalData(header: Buffer, name: string): Buffer {
  return Buffer.concat([header, Buffer.from(name, 'utf8')]);
}
