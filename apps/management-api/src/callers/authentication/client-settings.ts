import {
  ASSERTION_AUDIENCES,
  type ClientCredentials,
  clientKeysSetting,
  readClientCredentials,
} from '@legate/client-authentication';
import { findKind, KIND_NAMES, type KindName } from '@legate/identity-providers';
import { SHARED_SETTINGS } from '@legate/service';
import { z } from 'zod';

/** The client as which the service signs users in at the identity provider, and calls the hub */
export const clientEnvironment = {
  IDP_KIND: z.enum(KIND_NAMES).default('generic').meta(SHARED_SETTINGS.IDP_KIND),
  IDP_CLIENT_ID: z.string().min(1).optional().meta(SHARED_SETTINGS.IDP_CLIENT_ID),
  IDP_CLIENT_SECRET: z.string().min(1).optional().meta(SHARED_SETTINGS.IDP_CLIENT_SECRET),
  IDP_CLIENT_KEYS: clientKeysSetting.optional().meta(SHARED_SETTINGS.IDP_CLIENT_KEYS),
  IDP_CLIENT_ASSERTION_AUDIENCE: z
    .enum(ASSERTION_AUDIENCES)
    .optional()
    .meta(SHARED_SETTINGS.IDP_CLIENT_ASSERTION_AUDIENCE),
};

type Environment = z.output<z.ZodObject<typeof clientEnvironment>>;

/** Reports settings of the client that exclude each other, given the names of those that are set, valid or not. */
export const clientFaults = (isSet: (name: keyof Environment) => boolean): string[] =>
  isSet('IDP_CLIENT_SECRET') && isSet('IDP_CLIENT_KEYS')
    ? ['IDP_CLIENT_SECRET, IDP_CLIENT_KEYS: one of them, and not both']
    : [];

/** @returns undefined if neither a secret nor keys are set */
export const readCredentials = (
  env: Partial<Environment> & { readonly IDP_KIND: KindName },
): ClientCredentials | undefined =>
  readClientCredentials({
    clientSecret: env.IDP_CLIENT_SECRET,
    clientKeys: env.IDP_CLIENT_KEYS,
    assertionAudience: env.IDP_CLIENT_ASSERTION_AUDIENCE ?? findKind(env.IDP_KIND).assertionAudience,
  });
