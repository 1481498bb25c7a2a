import { isPublicAddress, isWithin, parseOutboundAllow } from '@legate/guarded-fetch';
import { findKind } from '@legate/identity-providers';
import { ok, skipped } from '../reports/report.ts';
import type { Leg, ProviderExamination } from './examination.ts';
import { FIXED_RULE } from './organization.ts';

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
  const rule = facts.organizationRule ?? (organizationClaim === undefined ? FIXED_RULE : undefined);
  const allow = outboundAllow(target.addresses ?? []);
  const both = {
    IDP_KIND: kind,
    IDP_ISSUER: target.issuer,
    ...(allow !== '' && { OUTBOUND_ALLOW: allow }),
    ...(rule !== undefined && { ORGANIZATION_RULE: rule }),
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

const LOOPBACK = parseOutboundAllow(['loopback']);

/** Returns what lets the services connect to a provider at addresses that are not public. */
function outboundAllow(addresses: readonly string[]): string {
  const entries = addresses
    .filter((address) => !isPublicAddress(address))
    .map((address) =>
      isWithin(address, LOOPBACK) ? 'loopback' : `${address}/${address.includes(':') ? 128 : 32}`,
    );
  return [...new Set(entries)].join(',');
}

/** Returns the settings as lines to paste, `NAME=value`. */
export const printSettings = (settings: ProviderSettings): string =>
  [
    QUOTING,
    ...(settings.hub.OUTBOUND_ALLOW === undefined ? [] : [ADDRESSES]),
    ...(
      [
        ['The tool hub', settings.hub],
        ['The management API', settings.managementApi],
        ['The console', settings.console],
      ] as const
    ).map(([title, lines]) => [`# ${title}`, ...(lines ? linesOf(lines) : [ELSEWHERE]), ''].join('\n')),
  ].join('\n');

const QUOTING =
  '# For a shell, node --env-file and Docker Compose. For docker run --env-file, remove the quotes around values.\n';
const ADDRESSES = '# OUTBOUND_ALLOW is a list: add this entry to those that are there.\n';

const linesOf = (settings: Settings): string[] =>
  Object.entries(settings).map(([name, value]) => {
    if (value.includes("'")) return `# ${name}: its value has a quotation mark, so write this line yourself`;
    return /^[\w@%+:,./…-]*$/.test(value) ? `${name}=${value}` : `${name}='${value}'`;
  });

const ELSEWHERE = '# not with this issuer: docs/how-to/identity-providers';

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
