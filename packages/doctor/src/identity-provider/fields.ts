import { findKind } from '@legate/identity-providers';
import { ok, skipped } from '../reports/report.ts';
import type { Leg, ProviderExamination } from './examination.ts';

/** Settings by their names */
export type Settings = Readonly<Record<string, string>>;
export interface ProviderSettings {
  readonly hub: Settings;
  /** Undefined: the issuer gives no access tokens for it */
  readonly managementApi: Settings | undefined;
  /** Undefined, too, without a management API: the console calls it with the tokens of its sign-in */
  readonly console: Settings | undefined;
}

/** Settings to paste into the environment of the services; secrets are named by their files. */
export function settingsOf({ target, facts }: ProviderExamination): ProviderSettings | undefined {
  if (!facts.isIssuerEqual) return undefined;
  const { kind, allowedMark } = facts;
  const { organizationClaim, idJagSubject, issuesApiTokens } = findKind(kind);
  const both = {
    IDP_KIND: kind,
    IDP_ISSUER: target.issuer,
    ...(organizationClaim === undefined && { ORGANIZATION_RULE: '{"fixed":"org_…"}' }),
  };
  const asClient = {
    ...both,
    IDP_CLIENT_ID: target.clientId ?? '…',
    ...(target.keysFile === undefined
      ? { IDP_CLIENT_SECRET_FILE: target.secretFile ?? '…' }
      : { IDP_CLIENT_KEYS_FILE: target.keysFile }),
  };
  return {
    hub: {
      ...asClient,
      ...(allowedMark !== undefined && { ID_TOKEN_ALLOWED_CLAIMS: allowedMark }),
      ...(idJagSubject !== undefined &&
        exchangesOnlyAccessTokens(facts) && { IDP_SUBJECT_TOKEN_TYPE: 'access_token' }),
    },
    managementApi: issuesApiTokens ? both : undefined,
    console: issuesApiTokens ? asClient : undefined,
  };
}

/** True if the token exchange works, and ID-JAGs were requested in vain: the hub then needs the access token. */
const exchangesOnlyAccessTokens = ({ results }: ProviderExamination['facts']): boolean =>
  results.get('token_exchange') === 'ok' && results.get('id_jag') === 'fail';

export const fields: Leg = {
  check: 'fields',
  run(examination) {
    const settings = settingsOf(examination);
    if (!settings) return skipped('Needs metadata that name this issuer.');
    const open = Object.entries(settings.hub).flatMap(([name, value]) => (value.includes('…') ? [name] : []));
    return ok(
      open.length === 0 ? 'The settings are below.' : `The settings are below. Fill in ${open.join(', ')}.`,
    );
  },
};
