import { CLIENT_REFUSED, type KindName, type RefusedLeg, readRefusal } from '@legate/identity-providers';

/** What a token endpoint said. */
export interface ProviderError {
  readonly error: string;
  readonly status: number;
  /** `error_description` as it came: to be compared, and never shown */
  readonly description: string | undefined;
  /** `error_codes`, the numbers that one provider adds */
  readonly codes: readonly number[];
  readonly suberror: string | undefined;
}

/** Remedies where the provider names no cause, by what its refusal means */
const REMEDIES: Readonly<Record<string, string>> = {
  target_unknown: 'Register the audience and the resource at the provider, and connect the client to them.',
  scope_refused: 'Register the scopes at the provider for this audience, or ask for others with --scope.',
  denied: 'A policy of the provider refuses this user, client or audience. Check its rules.',
  expired:
    'Sign in again, as the same client, and with a second factor if the provider asks for one. If that does not help, check --kind, --audience and --resource.',
  unsupported: 'The provider does not offer this grant here. Switch it on, or check --kind.',
  unavailable: 'Try again later.',
};
/** Replaces the text for the operator of a hub, which names settings that the doctor does not have. */
const CLIENT =
  'Check --client-id, the secret or key, and that the client may authenticate in this way. A key must be registered at the provider with the same "kid".';
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
  { error, ...details }: ProviderError,
): string {
  const { outcome, why, hint } = readRefusal(kind, LEGS[leg], { error, details });
  if (hint === CLIENT_REFUSED) return CLIENT;
  return hint ?? REMEDIES[why ?? outcome ?? ''] ?? ANY;
}
