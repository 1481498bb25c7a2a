import { createCipheriv, createDecipheriv, createHmac, randomBytes, randomFillSync } from 'node:crypto';

/** First byte of an entry: its layout, and how its key is derived */
const VERSION = 2;
const SALT_BYTES = 16;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
const KEY_ID = /^[A-Za-z0-9_-]{1,32}$/;

/** An entry that was altered, moved to another name, or sealed with a key that we do not have. */
export class UnreadableEntry extends Error {
  override readonly name = 'UnreadableEntry';
}

/**
 * 256-bit keys by id. The first one encrypts; the others only decrypt, until their entries are gone or re-encrypted. Each entry
 * has a key that is derived from one of them: with random nonces a key that seals directly must seal no more than 2^32 entries
 * (NIST SP 800-38D §8.3).
 */
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
      throw new Error('encryption keys must be given as id:base64, of 32 bytes, separated by commas');
    }
    return [id, key];
  });
  const byId = new Map(entries);
  const [activeId] = byId.keys();
  if (activeId === undefined || byId.size !== entries.length)
    throw new Error('encryption key ids must be distinct');
  return { activeId, byId };
}

/** A random key for a store whose entries need not outlive the process. */
export function generateEncryptionKeys(): EncryptionKeys {
  return {
    activeId: 'ephemeral',
    byId: new Map([['ephemeral', randomBytes(KEY_BYTES)]]),
  };
}

/**
 * AES-256-GCM. Layout: version (1), length of key id (1), key id, salt (16), nonce (12), tag (16), ciphertext. All
 * fields before the nonce, and the entry's name, are additional authenticated data, so that a ciphertext cannot be
 * moved to another name.
 */
export function seal(keys: EncryptionKeys, name: string, plaintext: string): Buffer {
  const key = keys.byId.get(keys.activeId);
  if (!key) throw new Error('the active encryption key is missing');
  const random = nextRandom(SALT_BYTES + IV_BYTES);
  const salt = random.subarray(0, SALT_BYTES);
  const header = headerOf(keys.activeId, salt);
  const iv = random.subarray(SALT_BYTES);
  const cipher = createCipheriv('aes-256-gcm', derivedKey(key, salt), iv);
  cipher.setAAD(additionalData(header, name));
  const ciphertext = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
  return Buffer.concat([header, iv, cipher.getAuthTag(), ciphertext]);
}

const pool = Buffer.alloc(4096);
let unused = 0;

/**
 * Returns random bytes for salts and nonces, each byte once. They are valid until the next call. A call of the random
 * number generator costs as much as sealing a short text, so one fills the pool for many entries, as in `randomUUID`.
 */
function nextRandom(length: number): Buffer {
  if (unused < length) {
    randomFillSync(pool);
    unused = pool.length;
  }
  const start = pool.length - unused;
  unused -= length;
  return pool.subarray(start, start + length);
}

/** Returns the key of one entry, by the id of the key that it is derived from and the salt. */
type DeriveKey = (key: Buffer, keyId: string, salt: Buffer) => Buffer;

/** Caches keys of entries that are read often: deriving one costs as much as decrypting an entry. */
export function rememberDerivedKeys(max: number): DeriveKey {
  const known = new Map<string, Buffer>();
  return (key, keyId, salt) => {
    const name = `${keyId}:${salt.toString('latin1')}`;
    const remembered = known.get(name);
    if (remembered) return remembered;
    const derived = derivedKey(key, salt);
    const [oldest] = known.keys();
    if (known.size >= max && oldest !== undefined) known.delete(oldest);
    known.set(name, derived);
    return derived;
  };
}

/** @throws {UnreadableEntry} */
export function open(
  keys: EncryptionKeys,
  name: string,
  sealed: Buffer,
  derive: DeriveKey = (key, _keyId, salt) => derivedKey(key, salt),
): { plaintext: string; keyId: string } {
  const [version, keyIdBytes = 0] = sealed;
  const saltAt = 2 + keyIdBytes;
  const headerBytes = saltAt + SALT_BYTES;
  if (version !== VERSION || sealed.length < headerBytes + IV_BYTES + TAG_BYTES) {
    throw new UnreadableEntry('not a sealed entry');
  }
  const keyId = sealed.toString('latin1', 2, saltAt);
  const key = keys.byId.get(keyId);
  if (!key) throw new UnreadableEntry('sealed with an unknown key');
  const iv = sealed.subarray(headerBytes, headerBytes + IV_BYTES);
  const tag = sealed.subarray(headerBytes + IV_BYTES, headerBytes + IV_BYTES + TAG_BYTES);
  try {
    const entryKey = derive(key, keyId, sealed.subarray(saltAt, headerBytes));
    const decipher = createDecipheriv('aes-256-gcm', entryKey, iv, { authTagLength: TAG_BYTES });
    decipher.setAAD(additionalData(sealed.subarray(0, headerBytes), name));
    decipher.setAuthTag(tag);
    const body = decipher.update(sealed.subarray(headerBytes + IV_BYTES + TAG_BYTES));
    decipher.final(); // verifies the tag; a stream cipher has no last block
    return { plaintext: body.toString('utf8'), keyId };
  } catch (cause) {
    throw new UnreadableEntry('altered, or sealed under another name', { cause });
  }
}

/** Returns the key of one entry: HKDF-Expand (RFC 5869 §2.3) of a key that is uniformly random, its first 32 bytes. */
function derivedKey(key: Buffer, salt: Buffer): Buffer {
  return createHmac('sha256', key).update('legate sealed entry').update(salt).update(Buffer.of(1)).digest();
}

const headerOf = (keyId: string, salt: Buffer): Buffer =>
  Buffer.concat([Buffer.from([VERSION, keyId.length]), Buffer.from(keyId, 'latin1'), salt]);

function additionalData(header: Buffer, name: string): Buffer {
  return Buffer.concat([header, Buffer.from(name, 'utf8')]);
}
