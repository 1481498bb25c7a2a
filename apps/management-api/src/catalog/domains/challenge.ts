import { randomBytes } from 'node:crypto';

/**
 * A name of its own (RFC 8552): the record does not interfere with others of the domain, and can be delegated
 * by a CNAME.
 */
export const CHALLENGE_LABEL = '_mgmt-challenge';

/** 160 bits, so that nobody can guess the value. */
const TOKEN_BYTES = 20;

/** Hexadecimal, so that no DNS console quotes or escapes it or changes its case. */
export const newVerificationToken = (): string => randomBytes(TOKEN_BYTES).toString('hex');

export const challengeName = (domain: string): string => `${CHALLENGE_LABEL}.${domain}`;
