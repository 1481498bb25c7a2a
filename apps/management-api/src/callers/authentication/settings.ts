import { organizationSettings } from '@legate/identity-providers';
import { AUDIT_EVENTS, CONNECTORS } from '@legate/management-contract';
import { commaSeparated, SHARED_SETTINGS } from '@legate/service';
import { workloadsSetting } from '@legate/workload';
import { z } from 'zod';
import { ACCESS_TOKEN_TYPES } from './verify-token.ts';

/** The scope that a workload needs to call for a user. */
export const TRANSACTIONS_SCOPE = 'internal:transactions';

/** Settings of the tokens that are accepted from the identity provider */
export const callerEnvironment = {
  ACCESS_TOKEN_TYPES: commaSeparated
    .pipe(z.array(z.enum(ACCESS_TOKEN_TYPES)).min(1))
    .optional()
    .meta({
      description:
        'Accepted `typ` of access tokens, separated by commas. Unset: those of the kind of the identity provider (`IDP_KIND`), else `at+jwt`. With `JWT` or `absent`, only their claims distinguish them from ID tokens.',
      when: 'Operators whose identity provider gives access tokens another `typ`, or none.',
      example: 'at+jwt,JWT',
      secret: false,
    }),
  ORGANIZATION_CLAIM: organizationSettings.ORGANIZATION_CLAIM.optional().meta(
    SHARED_SETTINGS.ORGANIZATION_CLAIM,
  ),
  ORGANIZATION_RULE: organizationSettings.ORGANIZATION_RULE.optional().meta(
    SHARED_SETTINGS.ORGANIZATION_RULE,
  ),
  WORKLOADS: workloadsSetting([CONNECTORS.scope, AUDIT_EVENTS.scope, TRANSACTIONS_SCOPE])
    .default(() => new Map())
    .meta({
      ...SHARED_SETTINGS.WORKLOADS,
      example: 'tool-hub=internal:connectors,internal:audit-events',
    }),
};

export type CallerSettings = Readonly<z.output<z.ZodObject<typeof callerEnvironment>>>;
