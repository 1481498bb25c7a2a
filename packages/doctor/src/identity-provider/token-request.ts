import { type ClientCredentials, clientAuthentication } from '@legate/client-authentication';
import { findKind } from '@legate/identity-providers';
import { json, outage, unanswered } from '../reports/answers.ts';
import { type Evidence, type Finding, fail } from '../reports/report.ts';
import { type Claims, OTHER_ISSUER, type ProviderExamination } from './examination.ts';
import { hintFor, type ProviderError } from './hints.ts';

export type TokenAnswer =
  | { readonly kind: 'granted'; readonly body: Claims }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  /** No response, or one that is not of a token endpoint */
  | { readonly kind: 'unusable'; readonly finding: Finding };

/** A refusal (RFC 6749 §5.2) */
export interface Refusal extends ProviderError {
  /** The code, with the description if there is one, safe to show */
  readonly said: string;
}

/** @returns why no request can be authenticated; undefined if it can */
export function missingForRequests({ target, facts }: ProviderExamination): string | undefined {
  if (!facts.metadata || !facts.isIssuerEqual) return OTHER_ISSUER;
  const missing = [
    ...(target.clientId === undefined ? ['--client-id'] : []),
    ...(target.credentials === undefined ? ['--secret-file, --key or LEGATE_IDP_SECRET'] : []),
  ];
  return missing.length === 0 ? undefined : `Needs ${missing.join(', and ')}.`;
}

/** Returns the hub's credentials as it uses them at this kind of provider, in all requests of the examination. */
export function credentialsFor({
  target: { credentials },
  facts: { kind },
}: ProviderExamination): ClientCredentials | undefined {
  if (credentials?.method !== 'private_key_jwt') return credentials;
  return { ...credentials, assertionAudience: findKind(kind).assertionAudience };
}

/**
 * Returns true if a refusal is about the client, and not about a grant: some providers have another code for it, but
 * the status of RFC 6749 §5.2.
 */
export const isOfClient = ({ error, status }: ProviderError): boolean =>
  error === 'invalid_client' || status === 401;

/**
 * Sends one request to the token endpoint, authenticated as the hub's client. Everything secret in it is hidden in all
 * texts from then on.
 */
export async function requestTokens(
  examination: ProviderExamination,
  form: Readonly<Record<string, string | undefined>>,
): Promise<TokenAnswer> {
  const { target, facts, probe, text } = examination;
  const { clientId } = target;
  const { metadata } = facts;
  const credentials = credentialsFor(examination);
  if (clientId === undefined || credentials === undefined || !metadata) throw new Error('nothing to send');
  const body = new URLSearchParams();
  for (const [name, value] of Object.entries(form)) if (value !== undefined) body.set(name, value);
  const headers = new Headers({ Accept: 'application/json' });
  const authenticate = await clientAuthentication(credentials);
  const { issuer, token_endpoint, token_endpoint_auth_methods_supported: methods } = metadata;
  const server = {
    ...{ issuer, token_endpoint },
    ...(methods && { token_endpoint_auth_methods_supported: methods }),
  };
  await authenticate(server, { client_id: clientId }, body, headers);
  const authorization = headers.get('authorization')?.replace(/^Basic /, '');
  text.hide(authorization, body.get('client_secret') ?? undefined, body.get('client_assertion') ?? undefined);

  const answer = await probe(metadata.token_endpoint, { method: 'POST', headers, body });
  if (answer.kind === 'failed') return { kind: 'unusable', finding: unanswered(answer) };
  const failed = outage(answer);
  if (failed) return { kind: 'unusable', finding: failed };
  const content = json(answer.text);
  const isObject = typeof content === 'object' && content !== null && !Array.isArray(content);
  const members: Claims = isObject ? { ...content } : {};
  if (answer.status === 200 && isObject) {
    for (const name of ['access_token', 'refresh_token', 'id_token']) text.hide(textOf(members[name]));
    return { kind: 'granted', body: members };
  }
  const { status } = answer;
  const error = textOf(members.error);
  if (error === undefined)
    return {
      kind: 'unusable',
      finding: fail(
        `The token endpoint responds with status ${status}, and without an error code.`,
        'Check that "token_endpoint" is right, and that no firewall or proxy responds in its place.',
        { token_endpoint: text.show(metadata.token_endpoint), status },
      ),
    };
  const description = textOf(members.error_description);
  const code = text.show(error);
  return {
    kind: 'refused',
    refusal: {
      status,
      error: code,
      description,
      codes: (Array.isArray(members.error_codes) ? members.error_codes : []).filter(Number.isSafeInteger),
      suberror: textOf(members.suberror),
      said: description === undefined ? code : `${code} (${text.show(description)})`,
    },
  };
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** Reports a refusal, with what helps. */
export function refused(
  { facts }: ProviderExamination,
  leg: Parameters<typeof hintFor>[1],
  what: string,
  refusal: Refusal,
  evidence: Evidence = {},
): Finding {
  const remedy = hintFor(facts.kind, leg, refusal);
  return fail(`${what}: ${refusal.said}.`, remedy, {
    status: refusal.status,
    error: refusal.error,
    ...evidence,
  });
}
