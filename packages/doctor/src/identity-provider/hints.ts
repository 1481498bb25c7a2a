import { explainRefusal, type KindName, type RefusedLeg } from '@legate/identity-providers';

/** What a token endpoint said. */
export interface ProviderError {
  readonly error: string;
  /** `error_description` as it came: to be compared, and never shown */
  readonly description: string | undefined;
  /** `error_codes`, the numbers that one provider adds */
  readonly codes: readonly number[];
}

/** Remedies for the codes of RFC 6749 §5.2, RFC 8693 §2.2.2 and RFC 8707 §2, at any provider */
const REMEDIES: Readonly<Record<string, string>> = {
  invalid_client:
    'Check --client-id, the secret or key, and that the client may authenticate in this way. A key must be registered at the provider with the same "kid".',
  unauthorized_client:
    'Allow this client the grant at the provider: token exchange must be switched on for it, and it must be connected to the audience.',
  access_denied: 'A policy of the provider refuses this user, client or audience. Check its rules.',
  invalid_grant: 'The token of the sign-in is refused. Sign in again, as the same client.',
  invalid_target: 'Register the audience and the resource at the provider, and connect the client to them.',
  invalid_resource: 'Register the audience at the provider.',
  invalid_scope: 'Register the scopes at the provider for this audience, or ask for others with --scope.',
  unsupported_grant_type: 'The provider does not offer this grant here. Switch it on, or check --kind.',
  invalid_request:
    'The provider does not take the request as it is sent for this kind. Check --kind, --audience and --resource.',
  interaction_required: 'The provider wants the user again, perhaps with a second factor. Sign in again.',
};
const ANY = 'Look up the error in the documents of the provider, and in its log.';

const LEGS: Readonly<Record<'client' | 'id_jag' | 'token_exchange', RefusedLeg>> = {
  client: 'renewal',
  id_jag: 'exchange',
  token_exchange: 'exchange',
};

/** Returns advice for what a provider answers in a leg: of its kind, or in general. */
export function hintFor(
  kind: KindName,
  leg: keyof typeof LEGS,
  { error, description, codes }: ProviderError,
): string {
  const refusal = { error, details: { description, codes } };
  const ofKind = explainRefusal(kind, LEGS[leg], refusal);
  // What holds for every kind names settings of the hub, which the doctor does not have.
  const isGeneral = ofKind === explainRefusal('generic', LEGS[leg], refusal);
  return (isGeneral ? undefined : ofKind) ?? REMEDIES[error] ?? ANY;
}
