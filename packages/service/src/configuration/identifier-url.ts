import { z } from 'zod';

/** An absolute http or https URL without query or fragment, kept as written: identifiers are compared as strings. */
export const identifierUrl = z.string().refine(isIdentifierUrl, {
  error: 'must be an http(s) URL without query, fragment, user or trailing slash',
});

/** An external issuer: an identifier that may end with a slash, as some providers' do. */
export const issuerUrl = z.string().refine((value) => isIdentifierUrl(value.replace(/\/$/, '')), {
  error: 'must be an http(s) URL without query, fragment or user',
});

/** A peer's resource identifier (RFC 8707 §2): it may have a query, or end with a slash, and is kept as written. */
export const resourceUrl = z
  .string()
  .refine(
    (value) => /^https?:\/\/[^?#\s]+(\?[^#\s]*)?$/.test(value) && URL.canParse(value) && isWithoutUser(value),
    {
      error: 'must be an http(s) URL without fragment or user',
    },
  );

function isIdentifierUrl(value: string): boolean {
  // `URL` drops spaces and line breaks silently, so they are refused here.
  if (!/^https?:\/\/[^?#\s]+$/.test(value) || value.endsWith('/') || !URL.canParse(value)) return false;
  return isWithoutUser(value);
}

function isWithoutUser(url: string): boolean {
  const { username, password } = new URL(url);
  return username === '' && password === '';
}
