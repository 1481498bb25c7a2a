import { createHash, randomUUID } from 'node:crypto';
import type { SigningKeys } from '@legate/jwt';
import { ISSUER } from './test-api.ts';

export type AdminCall = 'find' | 'create' | 'add-member' | 'remove-member';
/** `before`: the call is not executed; `after`: it is executed, and the response is lost. */
export type Failure = 'before' | 'after' | number;

/** An identity provider without a network: sign-in and the admin API, with faults on request. */
export function createFakeIdp(keys: SigningKeys) {
  const organizations = new Map<string, { id: string; name: string; external_id: string }>();
  const memberships = new Set<string>();
  const grants = new Map<string, { challenge: string; claims: object }>();
  const calls: AdminCall[] = [];
  let failure: { call: AdminCall; how: Failure } | undefined;
  let hold: { call: AdminCall; until: Promise<void>; arrived: () => void } | undefined;

  const json = (body: unknown, status = 200) => Response.json(body, { status });

  async function admin(call: AdminCall, effect: () => unknown): Promise<Response> {
    calls.push(call);
    if (hold?.call === call) {
      hold.arrived();
      await hold.until;
    }
    const failed = failure?.call === call ? failure.how : undefined;
    if (failed !== undefined) failure = undefined;
    if (failed === 'before') throw new TypeError('fetch failed');
    if (typeof failed === 'number') return json({}, failed);
    const body = effect();
    if (failed === 'after') throw new TypeError('fetch failed');
    return body instanceof Response ? body : json(body);
  }

  const fetch: typeof globalThis.fetch = async (input, init) => {
    const url = new URL(String(input));
    const body = init?.body == null ? '' : String(init.body);
    switch (`${init?.method ?? 'GET'} ${url.pathname}`) {
      case 'GET /.well-known/openid-configuration':
        return json({
          issuer: ISSUER,
          authorization_endpoint: `${ISSUER}/authorize`,
          token_endpoint: `${ISSUER}/token`,
          jwks_uri: `${ISSUER}/jwks`,
          authorization_response_iss_parameter_supported: true,
        });
      case 'GET /jwks':
        return json(keys.publicJwks());
      case 'POST /token':
        return token(new URLSearchParams(body));
      case 'GET /admin/organizations': {
        const found = organizations.get(url.searchParams.get('external_id') ?? '');
        return admin('find', () => ({ data: found ? [found] : [] }));
      }
      case 'POST /admin/organizations':
        return admin('create', () => {
          const { id, name, external_id } = JSON.parse(body);
          // Intentionally not idempotent: the application must not create a resource that it can find.
          if (organizations.has(external_id)) throw new Error('created twice');
          const organization = { id: id ?? `org_${randomUUID()}`, name, external_id };
          organizations.set(external_id, organization);
          return organization;
        });
      case 'POST /admin/memberships':
        return admin('add-member', () => {
          const { organization } = JSON.parse(body);
          if (![...organizations.values()].some(({ id }) => id === organization)) return json({}, 404);
          memberships.add(body);
          return {};
        });
      case 'DELETE /admin/memberships':
        return admin('remove-member', () => {
          const [user, organization] = ['user', 'organization'].map((name) => url.searchParams.get(name));
          const ofUser = [...memberships].filter((membership) => {
            const made = JSON.parse(membership);
            return made.user === user && made.organization === organization;
          });
          for (const membership of ofUser) memberships.delete(membership);
          return new Response(null, { status: ofUser.length > 0 ? 204 : 404 });
        });
      default:
        return json({}, 404);
    }
  };

  async function token(form: URLSearchParams): Promise<Response> {
    const code = form.get('code') ?? '';
    const grant = grants.get(code);
    grants.delete(code);
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (grant?.challenge !== challenge) return json({ error: 'invalid_grant' }, 400);
    const now = Math.floor(Date.now() / 1000);
    const standard = { iss: ISSUER, aud: 'management-api', iat: now, exp: now + 3600 };
    return json({
      access_token: 'access-token-of-the-sign-in',
      token_type: 'Bearer',
      id_token: await keys.sign({ ...standard, ...grant.claims }, { typ: 'JWT' }),
    });
  }

  return {
    fetch,
    organizations,
    memberships,
    calls,
    /** Signs a user in at the URL to which the application has redirected. @returns the query of the callback */
    authorize(location: string, claims: object): string {
      const request = new URL(location).searchParams;
      const code = randomUUID();
      const nonce = request.get('nonce');
      grants.set(code, { challenge: request.get('code_challenge') ?? '', claims: { nonce, ...claims } });
      return `?${new URLSearchParams({ code, state: request.get('state') ?? '', iss: ISSUER })}`;
    },
    /** Makes the next such call fail. */
    failNext(call: AdminCall, how: Failure): void {
      failure = { call, how };
    },
    /** Holds such calls until they are released. */
    hold(call: AdminCall): { arrived: Promise<void>; release: () => void } {
      const arrived = deferred();
      const until = deferred();
      hold = { call, until: until.promise, arrived: arrived.resolve };
      return {
        arrived: arrived.promise,
        release() {
          hold = undefined;
          until.resolve();
        },
      };
    },
  };
}

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((fulfil) => {
    resolve = fulfil;
  });
  return { promise, resolve };
}
