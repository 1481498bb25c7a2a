import { z } from 'zod';

/** A text without control characters, as `identifier`, but as long as a URI, a DN or an address may be. */
const name = z
  .string()
  .min(1)
  .max(1024)
  .regex(/^[^\p{Cc}\p{Cs}]*$/u);

const KNOWN = [
  z.looseObject({ format: z.literal('iss_sub'), iss: name, sub: name }),
  z.looseObject({ format: z.literal('email'), email: name }),
  z.looseObject({ format: z.literal('opaque'), id: name }),
  z.looseObject({
    format: z.literal('saml-nameid'),
    /** Entity id of the SAML identity provider */
    issuer: name,
    nameid: name,
    nameid_format: name.optional(),
    name_qualifier: name.optional(),
    sp_name_qualifier: name.optional(),
    sp_provided_id: name.optional(),
  }),
] as const;
const FORMATS = new Set<unknown>(KNOWN.flatMap(({ shape }) => [...shape.format.values]));

/**
 * A subject identifier (RFC 9493 §3; `saml-nameid` by the ID-JAG draft §3.2) in its form on the wire. It never
 * establishes trust: the issuer of the token asserts it, whichever issuer it names itself.
 */
const SubjectIdentifier = z.discriminatedUnion('format', KNOWN);
export type SubjectIdentifier = z.output<typeof SubjectIdentifier>;

/** The claim `sub_id`: null and a format that is not known here are its absence; a known format must be complete. */
export const subjectIdentifierClaim = z
  .preprocess(
    (value) => (value === null || isOfAnotherFormat(value) ? undefined : value),
    SubjectIdentifier.optional(),
  )
  .optional();

function isOfAnotherFormat(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('format' in value)) return false;
  return typeof value.format === 'string' && value.format !== '' && !FORMATS.has(value.format);
}
