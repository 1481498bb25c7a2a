import { hash, randomBytes } from 'node:crypto';

const HANDLE = /^lhs_[A-Za-z0-9_-]{43}$/;

/** 256 bits at random. The prefix tells it from an ID token, and a scanner for leaked secrets what it found. */
export const createHandle = (): string => `lhs_${randomBytes(32).toString('base64url')}`;

export const isHandle = (token: string): boolean => HANDLE.test(token);

/** Under which a session is stored: who reads the store's keys learns no handle. */
export const sessionKey = (handle: string): string => `session:${hash('sha256', handle, 'base64url')}`;
