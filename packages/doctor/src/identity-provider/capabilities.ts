import { findKind } from '@legate/identity-providers';
import { GRANT_TYPE, TOKEN_TYPE } from '@legate/oauth';
import { type Evidence, ok, skipped, warn } from '../reports/report.ts';
import { type Leg, NO_METADATA, type ProviderTarget } from './examination.ts';
import type { ProviderMetadata } from './provider-metadata.ts';

const FEATURES = [
  ['sign_in', 'grant_types_supported', GRANT_TYPE.authorizationCode],
  ['refresh_token', 'grant_types_supported', GRANT_TYPE.refreshToken],
  ['token_exchange', 'grant_types_supported', GRANT_TYPE.tokenExchange],
  ['jwt_bearer', 'grant_types_supported', GRANT_TYPE.jwtBearer],
  ['id_jag', 'identity_chaining_requested_token_types_supported', TOKEN_TYPE.idJag],
  ['pkce', 'code_challenge_methods_supported', 'S256'],
  ['private_key_jwt', 'token_endpoint_auth_methods_supported', 'private_key_jwt'],
] as const satisfies readonly (readonly [string, keyof ProviderMetadata, string])[];
type Feature = (typeof FEATURES)[number][0];

type Said = 'listed' | 'not listed' | 'says nothing';

/** "Says nothing" is not "cannot": most members are optional, and many providers leave them out. */
const saidBy = (metadata: ProviderMetadata): Record<Feature, Said> =>
  Object.fromEntries(
    FEATURES.map(([feature, member, value]) => {
      const listed = metadata[member];
      const said = listed === undefined ? 'says nothing' : listed.includes(value) ? 'listed' : 'not listed';
      return [feature, said] as const;
    }),
  ) as Record<Feature, Said>;

export const capabilities: Leg = {
  check: 'capabilities',
  run({ target, facts: { metadata, kind }, text }) {
    if (!metadata) return skipped(NO_METADATA);
    const said = saidBy(metadata);
    const logout = metadata.backchannel_logout_supported;
    const evidence: Evidence = {
      ...said,
      back_channel_logout: logout === undefined ? 'says nothing' : logout ? 'listed' : 'not listed',
      auth_methods: metadata.token_endpoint_auth_methods_supported
        ? text.list(metadata.token_endpoint_auth_methods_supported)
        : ['says nothing, which means client_secret_basic (RFC 8414 §2)'],
    };
    const doubts = doubtsOf(target, said, metadata, kind);
    if (doubts.length > 0)
      return warn(
        `The metadata do not list ${doubts.join(', nor ')}.`,
        'Try it: the legs below do. If they work, the metadata are incomplete, and nothing needs to be changed.',
        evidence,
      );
    const silent = Object.entries(said).flatMap(([feature, each]) =>
      each === 'says nothing' ? [feature] : [],
    );
    return ok(
      silent.length === 0
        ? 'The metadata list what is needed.'
        : `The metadata say nothing about ${silent.join(', ')}, which does not mean that the provider cannot.`,
      evidence,
    );
  },
};

/** Returns what the hub would use, and what a list that exists does not have. */
function doubtsOf(
  { credentials }: ProviderTarget,
  said: Record<Feature, Said>,
  { token_endpoint_auth_methods_supported: methods }: ProviderMetadata,
  kind: Parameters<typeof findKind>[0],
): string[] {
  const { idJagSubject, exchange } = findKind(kind);
  const doubt = (feature: Feature, isNeeded: boolean) =>
    isNeeded && said[feature] === 'not listed' ? [feature] : [];
  const method = credentials?.method === 'client_secret' ? undefined : credentials?.method;
  return [
    ...doubt('sign_in', true),
    ...doubt('token_exchange', idJagSubject !== undefined || exchange === 'token-exchange'),
    ...doubt('jwt_bearer', exchange === 'on-behalf-of'),
    ...doubt('id_jag', idJagSubject !== undefined),
    ...(method !== undefined && methods !== undefined && !methods.includes(method) ? [method] : []),
  ];
}
