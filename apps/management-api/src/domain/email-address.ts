import { domainToASCII, domainToUnicode } from 'node:url';
import { z } from 'zod';

/** RFC 5321 §4.5.3.1.1, and §4.5.3.1.3 without the angle brackets */
const MAX_LOCAL_OCTETS = 64;
const MAX_LENGTH = 254;
/**
 * Dots between other characters (RFC 5322 §3.2.3, RFC 6532). The quoted form is not supported: nobody has
 * such an address.
 */
const LOCAL_PART = /^[^\s"(),.:;<>@[\\\]\p{C}\p{Z}]+(?:\.[^\s"(),.:;<>@[\\\]\p{C}\p{Z}]+)*$/u;
const WRITTEN_DOMAIN = /^[^\s/?#@:[\]\\%]+$/;
const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;

/**
 * Returns the form in which addresses are stored and compared: NFC, the domain in ASCII (IDNA), everything in
 * lower case. Mailboxes whose names differ only in case are treated as one, as by all common providers.
 * Undefined for an invalid address.
 */
export function normalizedEmail(written: string): string | undefined {
  const text = written.normalize('NFC').trim();
  const at = text.lastIndexOf('@');
  const [local, rest] = [text.slice(0, Math.max(at, 0)).toLowerCase(), text.slice(at + 1)];
  if (!LOCAL_PART.test(local) || Buffer.byteLength(local) > MAX_LOCAL_OCTETS) return undefined;
  const domain = WRITTEN_DOMAIN.test(rest) ? domainToASCII(rest) : '';
  const email = `${local}@${domain}`;
  return isHostName(domain) && email.length <= MAX_LENGTH ? email : undefined;
}

function isHostName(name: string): boolean {
  const labels = name.split('.');
  // The last label of a domain name has a letter; otherwise it is an IP address.
  const isName = labels.length >= 2 && labels.every((label) => LABEL.test(label));
  return isName && /[a-z]/.test(labels.at(-1) ?? '') && !/(?:^|\.)xn--/.test(domainToUnicode(name));
}

/** Returns the spellings of a normalized address, to compare it with the addresses in tokens. */
export const spellingsOf = (email: string): readonly string[] => {
  const at = email.lastIndexOf('@') + 1;
  return [email, email.slice(0, at) + domainToUnicode(email.slice(at))];
};

/** Parses an e-mail address into its normalized form. */
export const EmailAddress = z
  .string()
  .max(1000, { abort: true })
  .transform((written, context) => {
    const email = normalizedEmail(written);
    if (email !== undefined) return email;
    const message = 'Write an e-mail address, such as "bob@acme.example".';
    context.addIssue({ code: 'custom', message, params: { code: 'invalid_format' } });
    return z.NEVER;
  })
  .meta({ maxLength: MAX_LENGTH, examples: ['bob@acme.example'] });

/** Returns an address as `b…@acme.example`: its owner recognizes it, and others cannot reconstruct it. */
export function maskedEmail(email: string): string {
  const at = email.lastIndexOf('@');
  const [first = ''] = email;
  return `${first}…${email.slice(at)}`;
}
