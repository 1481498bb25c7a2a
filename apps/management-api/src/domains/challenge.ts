import { randomBytes } from 'node:crypto';

/** A name of its own (RFC 8552): the record disturbs nothing at the domain, and can be delegated by a CNAME. */
export const CHALLENGE_LABEL = '_mgmt-challenge';

/** 160 bits: nobody guesses a value before it is given out, and has it in place by chance. */
const TOKEN_BYTES = 20;

/** Hexadecimal, so that no DNS console quotes, escapes or changes the case of it into something else. */
export const newVerificationToken = (): string => randomBytes(TOKEN_BYTES).toString('hex');

export const challengeName = (domain: string): string => `${CHALLENGE_LABEL}.${domain}`;
