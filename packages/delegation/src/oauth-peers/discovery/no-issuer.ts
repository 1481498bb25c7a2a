import type { ChosenIssuer } from '@legate/oauth';

/** Why none of the authorization servers of a tool server may be asked, and who can change that */
const REASONS: Readonly<Record<Exclude<ChosenIssuer['kind'], 'chosen'>, string>> = {
  none_listed: 'its resource metadata names no authorization server',
  not_listed: 'its resource metadata does not list the issuer that is pinned at the connector',
  not_pinned: 'its authorization server is at another origin: pin the issuer at the connector',
};

/** Never `unsupported`: a tool server must not be able to choose its authentication method. */
export const noIssuer = ({ kind }: Exclude<ChosenIssuer, { kind: 'chosen' }>) => ({
  kind: 'unusable' as const,
  reason: REASONS[kind],
});
