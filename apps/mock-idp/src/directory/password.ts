import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify<string, Buffer, number, { N: number; r: number; p: number; maxmem: number }, Buffer>(
  scrypt,
);
/** Each guess costs 16 MB and about 40 ms of CPU. */
const COST = { N: 16_384, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };
const KEY_BYTES = 32;

/** @returns `salt.key`, both base64url */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await derive(password.normalize('NFC'), salt, KEY_BYTES, COST);
  return `${salt.toString('base64url')}.${key.toString('base64url')}`;
}

/**
 * Verifies a password. A user without a password and an unknown user take as long as a wrong password, so that timing
 * does not reveal which e-mail addresses exist.
 */
export async function verifyPassword(password: string, hash: string | undefined): Promise<boolean> {
  const [salt = '', expected = ''] = (hash ?? UNMATCHABLE).split('.');
  const key = await derive(password.normalize('NFC'), Buffer.from(salt, 'base64url'), KEY_BYTES, COST);
  const expectedKey = Buffer.from(expected, 'base64url');
  return expectedKey.length === key.length && timingSafeEqual(key, expectedKey) && hash !== undefined;
}

const UNMATCHABLE = `${randomBytes(16).toString('base64url')}.${randomBytes(KEY_BYTES).toString('base64url')}`;
