import { randomUUID } from 'node:crypto';
import type { OrganizationId } from '@legate/ids';
import { createSigningKeys, epochSeconds } from '@legate/jwt';
import { CLIENT_ASSERTION_TYPE, createClientAuthenticator, parseForm } from '@legate/oauth';
import { createTestClock } from '@legate/service/testing';
import type { DeniedToken, IssuedToken } from '../events.ts';
import { createSubjectCheck, type TransactionSubject } from '../subject.ts';
import { createTransactionTokenService } from '../transaction-token-service.ts';
import { type OnKeysRead, registerWorkloads } from '../workload.ts';
import { WorkloadEntry } from '../workload-entry.ts';

export const ISSUER = 'https://tokens.example';
export const TOOLS = 'https://tools.example';
export const API = 'https://api.example';
export const IDP = 'https://idp.example';
export const POWERLESS = { client_id: 'powerless', client_secret: 'the-secret-of-the-powerless' };
export const WORKLOAD = { client_id: 'tools', client_secret: 'the-secret-of-the-tools' };
export const SUBJECT = { issuer: TOOLS, jwks_uri: `${TOOLS}/jwks`, audience: TOOLS };

/** The issuer with one workload, one service and one user; `deps` are the functions that its host provides. */
export async function createScene(
  change: { lifetime_seconds?: number; onKeysRead?: OnKeysRead; jwks?: object } = {},
) {
  const clock = createTestClock();
  const now = () => epochSeconds(clock());
  const [signingKeys, toolKeys] = await Promise.all([
    createSigningKeys({ alg: 'ES256', clock }),
    createSigningKeys({ alg: 'ES256', clock }),
  ]);
  const documents = new Map<string, unknown>([[SUBJECT.jwks_uri, toolKeys.publicJwks()]]);
  const { onKeysRead, ...members } = change;
  const list = { name: 'sites:list', subject_scope: 'mcp:tools:call', details: ['limit', 'search', 'deep'] };
  const admin = { name: 'sites:delete', subject_scope: 'mcp:tools:admin' };
  const workloads = registerWorkloads(
    [
      WorkloadEntry.parse({
        ...{ client_id: WORKLOAD.client_id, secrets: [WORKLOAD.client_secret], subject_issuer: SUBJECT },
        ...{ services: [{ audience: API, operations: [list, admin] }], context: ['req_ip'] },
        ...members,
      }),
      WorkloadEntry.parse({
        ...{ client_id: POWERLESS.client_id, secrets: [POWERLESS.client_secret], subject_issuer: SUBJECT },
        services: [],
      }),
    ],
    {
      issuer: ISSUER,
      async getJson(url) {
        const document = documents.get(url);
        if (!document) throw new Error('cannot be reached');
        return document;
      },
      onKeysRead,
      clock,
    },
  );

  const issued: IssuedToken[] = [];
  const denied: DeniedToken[] = [];
  const outcomes: (readonly [string | undefined, string])[] = [];
  const limited: (readonly [string, OrganizationId | undefined])[] = [];
  const logged: object[] = [];
  const checked: string[] = [];
  const checkSubject = createSubjectCheck({ identityProvider: IDP, clock });
  const deps = {
    requireAccess: async (_subject: TransactionSubject) => {},
    limit: async (workloadId: string, organizationId?: OrganizationId) =>
      void limited.push([workloadId, organizationId]),
  };
  const service = createTransactionTokenService({
    issuer: ISSUER,
    authenticate: createClientAuthenticator({
      findClient: (clientId) => workloads.get(clientId),
      useAssertionOnce: async () => true,
      allowPublic: false,
    }),
    checkSubject: (workload, subjectToken) => {
      checked.push(subjectToken);
      return checkSubject(workload, subjectToken);
    },
    requireAccess: (subject) => deps.requireAccess(subject),
    signingKeys,
    limit: (...args) => deps.limit(...args),
    clock,
    log: { info: (fields) => void logged.push(fields) },
    onIssued: (event) => void issued.push(event),
    onDenied: (event) => void denied.push(event),
    onOutcome: (...outcome) => void outcomes.push(outcome),
  });

  const accessToken = (claims: Record<string, unknown> = {}, typ = 'at+jwt') =>
    toolKeys.sign(
      {
        ...{ iss: TOOLS, aud: TOOLS, sub: 'alice', client_id: 'hub', jti: 'an-access-token' },
        ...{ iat: now(), exp: now() + 3600, scope: 'mcp:tools:read mcp:tools:call' },
        ...{ idp: IDP, organization_id: 'acme', roles: ['editor'], ...claims },
      },
      { typ },
    );
  /** Sends a valid request with changes: `undefined` leaves a parameter out, an array repeats it. */
  async function ask(form: Record<string, string | readonly string[] | undefined> = {}) {
    const parameters = new URLSearchParams();
    const standard = {
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      requested_token_type: 'urn:ietf:params:oauth:token-type:txn_token',
      subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      subject_token: 'subject_token' in form ? '' : await accessToken(),
      ...{ audience: API, scope: 'sites:list', ...WORKLOAD },
    };
    for (const [name, value] of Object.entries({ ...standard, ...form }))
      for (const each of [value ?? []].flat()) parameters.append(name, each);
    return service(undefined, parseForm(parameters.toString()), 'a-request');
  }
  /** The parameters by which a workload authenticates with its own key. */
  async function assertionBy(keys: typeof signingKeys, claims: Record<string, unknown> = {}) {
    const standard = {
      iss: 'tools',
      sub: 'tools',
      aud: ISSUER,
      iat: now(),
      exp: now() + 60,
      jti: randomUUID(),
    };
    const client_assertion = await keys.sign(
      { ...standard, ...claims },
      { typ: 'client-authentication+jwt' },
    );
    const secret = { client_id: undefined, client_secret: undefined };
    return { ...secret, client_assertion, client_assertion_type: CLIENT_ASSERTION_TYPE };
  }
  return {
    ...{ ask, accessToken, assertionBy, clock, now, deps, documents, signingKeys, toolKeys },
    ...{ issued, denied, outcomes, limited, logged, checked },
  };
}
