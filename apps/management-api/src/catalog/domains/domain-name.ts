import { domainToASCII, domainToUnicode } from 'node:url';
import { parse } from 'tldts';
import { z } from 'zod';
import { isPublicMailProvider } from '../../domain/public-mail-providers.ts';
import { CHALLENGE_LABEL } from './challenge.ts';

/**
 * A name in the DNS has at most 253 characters (RFC 1035 §2.3.4, without the root), and so has the name of
 * the challenge.
 */
export const MAX_DOMAIN_LENGTH = 253 - `${CHALLENGE_LABEL}.`.length;
/** Maximum length before normalization; longer input cannot become a valid domain. */
const MAX_WRITTEN_LENGTH = 1000;
/** `domainToASCII` treats other characters as parts of a URL, and decodes `%2e`. */
const WRITTEN = /^[^\s/?#@:[\]\\%]+$/;
const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;

export type DomainResult =
  | { readonly ok: true; readonly domain: string }
  | { readonly ok: false; readonly code: DomainFaultCode; readonly detail: string };

export type DomainFaultCode = 'invalid_format' | 'too_long' | 'domain_public_provider';

/**
 * Normalizes a domain to lower-case ASCII, or returns why no one can own it. It normalizes first: otherwise
 * other spellings (`Gmail.com `, full-width letters) would bypass the lists.
 * @see UTS #46 for the form; publicsuffix.org, including its private part, because anyone can have a name
 * below `vercel.app`
 */
export function parseDomain(written: string): DomainResult {
  const trimmed = written.trim();
  const domain = WRITTEN.test(trimmed) ? domainToASCII(trimmed) : '';
  if (domain.length > MAX_DOMAIN_LENGTH) {
    return fault('too_long', `Must be at most ${MAX_DOMAIN_LENGTH} characters long in its ASCII form.`);
  }
  const { domain: registrable, publicSuffix, isIp } = parse(domain, { allowPrivateDomains: true });
  if (isIp || !isHostName(domain)) {
    return fault('invalid_format', 'Write a domain of two labels or more, such as "example.com".');
  }
  if (!registrable) {
    return fault('invalid_format', `Anyone can register names below ${publicSuffix ?? domain}.`);
  }
  if (isPublicMailProvider(registrable)) {
    return fault('domain_public_provider', `Anyone can have an address at ${registrable}.`);
  }
  return { ok: true, domain };
}

const fault = (code: DomainFaultCode, detail: string): DomainResult => ({ ok: false, code, detail });

/** Letters, digits and hyphens: `_` begins names of services (RFC 8552), not of organizations. */
function isHostName(name: string): boolean {
  const labels = name.split('.');
  return labels.length >= 2 && labels.every((label) => LABEL.test(label)) && isDecodable(name);
}

/**
 * Checks punycode. `domainToASCII` checks it only before Node.js 24; later versions leave invalid punycode
 * undecoded.
 */
function isDecodable(name: string): boolean {
  const decoded = domainToUnicode(name);
  return domainToASCII(decoded) === name && !/(?:^|\.)xn--/.test(decoded);
}

/** Parses a domain name into its normalized form. */
export const DomainName = z
  .string()
  .max(MAX_WRITTEN_LENGTH, { abort: true })
  .transform((written, context) => {
    const result = parseDomain(written);
    if (result.ok) return result.domain;
    context.addIssue({ code: 'custom', message: result.detail, params: { code: result.code } });
    return z.NEVER;
  });
