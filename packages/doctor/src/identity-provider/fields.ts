import { findKind } from '@legate/identity-providers';
import { ok, skipped } from '../reports/report.ts';
import type { Leg, ProviderExamination } from './examination.ts';

/** Settings by their names */
export type Settings = Readonly<Record<string, string>>;
export interface ProviderSettings {
  readonly hub: Settings;
  readonly managementApi: Settings;
}

/** Settings to paste into the environment of the services; secrets are named by their files. */
export function settingsOf({ target, facts }: ProviderExamination): ProviderSettings | undefined {
  if (!facts.isIssuerEqual) return undefined;
  const { kind, allowedMark } = facts;
  const { organizationClaim } = findKind(kind);
  const both = {
    IDP_KIND: kind,
    IDP_ISSUER: target.issuer,
    ...(organizationClaim === undefined && { ORGANIZATION_RULE: '{"fixed":"org_…"}' }),
  };
  return {
    hub: {
      ...both,
      IDP_CLIENT_ID: target.clientId ?? '…',
      ...(target.keysFile === undefined
        ? { IDP_CLIENT_SECRET_FILE: target.secretFile ?? '…' }
        : { IDP_CLIENT_KEYS_FILE: target.keysFile }),
      ...(allowedMark !== undefined && { ID_TOKEN_ALLOWED_CLAIMS: allowedMark }),
    },
    managementApi: both,
  };
}

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
