import { type EncryptionKeys, parseEncryptionKeys } from '@legate/secure-store';
import { ConfigError, commaSeparated, identifierUrl } from '@legate/service';
import { z } from 'zod';

/** Onboarding is on when all of these but the last two are set, and off when none is. */
export const onboardingEnvironment = {
  /** Our client at the identity provider, with `PUBLIC_URL/api/oauth/callback` as a redirect URI. */
  IDP_CLIENT_ID: z.string().min(1).optional(),
  IDP_CLIENT_SECRET: z.string().min(1).optional(),
  /** The identity provider's admin API, such as `https://idp.example/admin`. */
  IDP_ADMIN_URL: identifierUrl.optional(),
  IDP_ADMIN_API_KEY: z.string().min(1).optional(),
  /** Secret of the CSRF tokens, the same in all processes. */
  CSRF_KEY: z.string().min(32).optional(),
  /** Where browsers reach this service; unset: RESOURCE. */
  PUBLIC_URL: identifierUrl.optional(),
  /** Pages of applications that sign-in may return to; unset: our own, PUBLIC_URL/onboarding. */
  ONBOARDING_RETURN_TO: commaSeparated.pipe(z.array(identifierUrl)).default([]),
};

export interface OnboardingSettings {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly adminUrl: string;
  readonly adminApiKey: string;
  readonly csrfKey: string;
  readonly publicUrl: string;
  /** Our own pages */
  readonly pagesUrl: string;
  readonly returnTo: readonly [string, ...string[]];
  /** The claim that names the organization, in ID tokens as in access tokens */
  readonly organizationClaim: string;
  /** Undefined: made at start, for a store that lives and dies with the process */
  readonly encryptionKeys: EncryptionKeys | undefined;
}

const TOGETHER = [
  'IDP_CLIENT_ID',
  'IDP_CLIENT_SECRET',
  'IDP_ADMIN_URL',
  'IDP_ADMIN_API_KEY',
  'CSRF_KEY',
] as const;

type Environment = z.output<z.ZodObject<typeof onboardingEnvironment>> & {
  readonly RESOURCE: string;
  readonly ORGANIZATION_CLAIM: string;
  readonly REDIS_URL?: string | undefined;
  readonly ENCRYPTION_KEYS?: string | undefined;
};

/**
 * @returns undefined where onboarding is off
 * @throws {ConfigError} for settings that are incomplete: half an onboarding would fail its first user
 */
export function readOnboardingSettings(env: Environment): OnboardingSettings | undefined {
  const missing: string[] = TOGETHER.filter((name) => env[name] === undefined);
  if (missing.length === TOGETHER.length) return undefined;
  if (env.REDIS_URL !== undefined && env.ENCRYPTION_KEYS === undefined) missing.push('ENCRYPTION_KEYS');
  const { IDP_CLIENT_ID, IDP_CLIENT_SECRET, IDP_ADMIN_URL, IDP_ADMIN_API_KEY, CSRF_KEY } = env;
  if (
    missing.length > 0 ||
    !IDP_CLIENT_ID ||
    !IDP_CLIENT_SECRET ||
    !IDP_ADMIN_URL ||
    !IDP_ADMIN_API_KEY ||
    !CSRF_KEY
  ) {
    throw new ConfigError(missing.map((name) => `${name}: required for onboarding`));
  }
  const publicUrl = env.PUBLIC_URL ?? env.RESOURCE;
  const pagesUrl = `${publicUrl}/onboarding`;
  const [first = pagesUrl, ...others] = env.ONBOARDING_RETURN_TO;
  return {
    clientId: IDP_CLIENT_ID,
    clientSecret: IDP_CLIENT_SECRET,
    adminUrl: IDP_ADMIN_URL,
    adminApiKey: IDP_ADMIN_API_KEY,
    csrfKey: CSRF_KEY,
    publicUrl,
    pagesUrl,
    returnTo: [first, ...others],
    organizationClaim: env.ORGANIZATION_CLAIM,
    encryptionKeys: env.ENCRYPTION_KEYS === undefined ? undefined : parseEncryptionKeys(env.ENCRYPTION_KEYS),
  };
}
