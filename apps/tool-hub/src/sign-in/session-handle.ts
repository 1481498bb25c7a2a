import { hash, randomBytes } from 'node:crypto';

const HANDLE = /^lhs_[A-Za-z0-9_-]{43}$/;

/** 256 random bits. The prefix distinguishes it from an ID token, and helps scanners for leaked secrets. */
export const createHandle = (): string => `lhs_${randomBytes(32).toString('base64url')}`;

export const isHandle = (token: string): boolean => HANDLE.test(token);

/** Storage key of a session: access to the store's keys reveals no handle. */
export const sessionKey = (handle: string): string => `session:${hash('sha256', handle, 'base64url')}`;
