import { OAuthError } from './errors.ts';

/**
 * The parameters of an `application/x-www-form-urlencoded` request, read according to RFC 6749 §3.2: an empty value
 * counts as absent, unknown parameters are ignored, and reading a repeated parameter as a single one throws.
 */
export interface FormParameters {
  /** @throws {OAuthError} `invalid_request` when the parameter is repeated */
  find(name: string): string | undefined;
  /** @throws {OAuthError} `invalid_request` when the parameter is missing, empty or repeated */
  require(name: string): string;
  /** Reads one of the few parameters that may be repeated: `resource` (RFC 8707 §2), `audience` (RFC 8693 §2.1). */
  all(name: string): string[];
  /** @throws {OAuthError} `invalid_request` if any parameter except the named ones is repeated, even an unknown one */
  refuseRepeated(except?: readonly string[]): void;
}

export function parseForm(body: string): FormParameters {
  const parameters = new URLSearchParams(body);

  function find(name: string): string | undefined {
    const values = parameters.getAll(name);
    if (values.length > 1) throw new OAuthError('invalid_request', `repeated: ${name}`);
    return values[0] || undefined;
  }

  return {
    find,
    require(name) {
      const value = find(name);
      if (value === undefined) throw new OAuthError('invalid_request', `missing: ${name}`);
      return value;
    },
    all: (name) => parameters.getAll(name).filter((value) => value !== ''),
    refuseRepeated(except = []) {
      const seen = new Set<string>();
      for (const name of parameters.keys()) {
        if (seen.has(name) && !except.includes(name))
          throw new OAuthError('invalid_request', 'repeated parameter');
        seen.add(name);
      }
    },
  };
}
