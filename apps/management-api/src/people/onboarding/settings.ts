import type { OrganizationSettings } from '@legate/identity-providers';
import { encryptionKeysSetting, parseEncryptionKeys } from '@legate/secure-store';
import { ConfigError, commaSeparated, identifierUrl, SHARED_SETTINGS } from '@legate/service';
import { z } from 'zod';
import { type clientEnvironment, readCredentials } from '../../callers/authentication/client-settings.ts';
import { ClientId } from '../consents/consent.ts';

/** `https://app.example/welcome|its-client`, or without the client. A URL contains no `|`. */
const ReturnTo = z
  .string()
  .transform((entry): { url: string; clientId?: string | undefined } => {
    const [url = '', clientId] = entry.split(/\|(.*)/s);
    return { url, clientId };
  })
  .pipe(z.object({ url: identifierUrl, clientId: ClientId.optional() }));

/** Onboarding is on if the first two settings are set, and off if neither is. It needs the client of the service. */
export const onboardingEnvironment = {
  IDP_ADMIN_URL: identifierUrl.optional().meta({
    description: 'Admin API of the identity provider, which creates organizations.',
    when: 'Operators who offer onboarding, where users create organizations.',
    example: 'https://idp.example/admin',
  }),
  IDP_ADMIN_API_KEY: z.string().min(1).optional().meta(SHARED_SETTINGS.IDP_ADMIN_API_KEY),
  PUBLIC_URL: identifierUrl.optional().meta(SHARED_SETTINGS.PUBLIC_URL),
  ENCRYPTION_KEYS: encryptionKeysSetting.optional().meta(SHARED_SETTINGS.ENCRYPTION_KEYS),
  RETURN_TO: commaSeparated.pipe(z.array(ReturnTo)).default([]).meta(SHARED_SETTINGS.RETURN_TO),
  RELINK_MEMBERS: z.stringbool().default(false).meta({
    description:
      'If true, a member whom the identity provider no longer assigns to their organization is assigned again at the next sign-in, even if they were removed there on purpose.',
    when: 'Developers whose identity provider keeps its data in memory, as with `npm start`.',
  }),
  TRUST_IDP_EMAIL: z.stringbool().default(false).meta({
    description:
      'If true, an address in a sign-in without `email_verified` counts as verified, so that its user can accept an invitation.',
    when: 'Operators whose identity provider verifies every address and does not say so. Never where users set their address themselves, as with Microsoft Entra ID.',
  }),
  MULTIPLE_ORGANIZATIONS: z.stringbool().default(false).meta({
    description: 'If true, a member of one organization can accept the invitation of another.',
    when: 'Operators whose identity provider lets users choose the organization when they sign in.',
  }),
};

export type OnboardingSettings = NonNullable<ReturnType<typeof readOnboardingSettings>>;

const TOGETHER = ['IDP_CLIENT_ID', 'IDP_CLIENT_SECRET', 'IDP_ADMIN_URL', 'IDP_ADMIN_API_KEY'] as const;

type SharedStoreName = 'REDIS_URL' | 'ENCRYPTION_KEYS';

type Environment = z.output<z.ZodObject<typeof onboardingEnvironment & typeof clientEnvironment>> &
  OrganizationSettings & {
    readonly RESOURCE: string;
    readonly REDIS_URL?: string | undefined;
  };

/**
 * Reports missing settings, given the names of those that are set, valid or not: a partial configuration would fail
 * its first user.
 */
export function onboardingFaults(
  isSet: (name: (typeof TOGETHER)[number] | 'IDP_CLIENT_KEYS' | SharedStoreName) => boolean,
): string[] {
  if (!isSet('IDP_ADMIN_URL') && !isSet('IDP_ADMIN_API_KEY')) return [];
  const missing: string[] = TOGETHER.filter(
    (name) => !isSet(name) && !(name === 'IDP_CLIENT_SECRET' && isSet('IDP_CLIENT_KEYS')),
  );
  if (isSet('REDIS_URL') && !isSet('ENCRYPTION_KEYS')) missing.push('ENCRYPTION_KEYS');
  return missing.map((name) => `${name}: required for onboarding`);
}

/**
 * @returns undefined if onboarding is off
 * @throws {ConfigError} for settings that are incomplete
 */
export function readOnboardingSettings(env: Environment) {
  const { IDP_CLIENT_ID, IDP_ADMIN_URL, IDP_ADMIN_API_KEY } = env;
  const faults = onboardingFaults((name) => env[name] !== undefined);
  if (faults.length > 0) throw new ConfigError(faults);
  const rule = env.ORGANIZATION_RULE;
  if (IDP_ADMIN_URL !== undefined && rule !== undefined && 'claim' in rule && rule.map !== undefined)
    throw new ConfigError([
      'ORGANIZATION_RULE: without a map for onboarding, whose new organizations would not be in it',
    ]);
  const credentials = readCredentials(env);
  if (!IDP_CLIENT_ID || !credentials || !IDP_ADMIN_URL || !IDP_ADMIN_API_KEY) return undefined;
  const publicUrl = env.PUBLIC_URL ?? env.RESOURCE;
  const pagesUrl = `${publicUrl}/onboarding`;
  const [first = pagesUrl, ...others] = env.RETURN_TO.map(({ url }) => url);
  const returnTo: readonly [string, ...string[]] = [first, ...others];
  return {
    clientId: IDP_CLIENT_ID,
    credentials,
    adminUrl: IDP_ADMIN_URL,
    adminApiKey: IDP_ADMIN_API_KEY,
    publicUrl,
    /** URL of our own pages */
    pagesUrl,
    returnTo,
    /** Page of an application → its client at the identity provider, if that is known */
    clients: clientsOf(env.RETURN_TO),
    /** How organization and user of an ID token are found */
    identityProvider: identityProviderOf(env),
    /** True if members whom the identity provider no longer names in an organization are linked again */
    relinkMembers: env.RELINK_MEMBERS,
    /** True if an address counts as verified unless the identity provider states otherwise */
    trustIdpEmail: env.TRUST_IDP_EMAIL,
    /** True if a user may belong to several organizations */
    multipleOrganizations: env.MULTIPLE_ORGANIZATIONS,
    /** Undefined: created at start, for a store in the memory of the process */
    encryptionKeys: env.ENCRYPTION_KEYS === undefined ? undefined : parseEncryptionKeys(env.ENCRYPTION_KEYS),
  };
}

const identityProviderOf = ({
  IDP_KIND,
  ORGANIZATION_CLAIM,
  ORGANIZATION_RULE,
}: OrganizationSettings): OrganizationSettings => ({ IDP_KIND, ORGANIZATION_CLAIM, ORGANIZATION_RULE });

function clientsOf(entries: Environment['RETURN_TO']): ReadonlyMap<string, string> {
  const known = entries.flatMap(({ url, clientId }) =>
    clientId === undefined ? [] : [[url, clientId] as const],
  );
  return new Map(known);
}
