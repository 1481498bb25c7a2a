import { GRANT_TYPE } from '@legate/oauth';
import { z } from 'zod';
import { json, unanswered } from './answers.ts';
import { type Check, type Examination, endpointOf, type Facts } from './examination.ts';
import { type IdJagOrder, MintFailed, type MintIdJag } from './id-jag-mint.ts';
import type { Probed } from './probe.ts';
import { type Finding, fail, ok, type RedemptionCheck, shown, skipped } from './report.ts';
import { NO_SERVER_METADATA } from './server-checks.ts';

/** A client that is registered at the tool server */
export interface RedemptionClient {
  readonly id: string;
  readonly secret: string;
}

const EXPIRED_SECONDS = -600;
const OTHER = 'https://another-tool-server.example';
const Granted = z.object({
  access_token: z.string().min(1),
  token_type: z.string().regex(/^bearer$/i),
  expires_in: z.number().int().positive().max(3600).optional(),
  refresh_token: z.undefined().optional(),
});

/** A request that the tool server must refuse, and the expected response. */
interface Refused {
  readonly check: RedemptionCheck;
  readonly what: string;
  readonly order?: (order: IdJagOrder) => Partial<IdJagOrder>;
  readonly form?: Readonly<Record<string, string>>;
  readonly status?: number;
  readonly error: string;
  readonly remedy: string;
}

const REFUSED: readonly Refused[] = [
  {
    check: 'wrong_audience',
    what: 'An ID-JAG for another tool server',
    order: () => ({ audience: OTHER }),
    error: 'invalid_grant',
    remedy: 'Compare "aud" with your issuer, byte for byte.',
  },
  {
    check: 'wrong_type',
    what: 'A token that is not an ID-JAG ("typ" is JWT)',
    order: () => ({ typ: 'JWT' }),
    error: 'invalid_grant',
    remedy: 'Require the header "typ": "oauth-id-jag+jwt".',
  },
  {
    check: 'expired',
    what: 'An ID-JAG that has expired',
    order: () => ({ expiresInSeconds: EXPIRED_SECONDS }),
    error: 'invalid_grant',
    remedy: 'Check "exp", with at most 60 seconds of tolerance.',
  },
  {
    check: 'wrong_client',
    what: 'An ID-JAG for another client',
    order: ({ clientId }) => ({ clientId: `${clientId}-other` }),
    error: 'invalid_grant',
    remedy: 'Compare "client_id" of the ID-JAG with the client that has authenticated.',
  },
  {
    check: 'wrong_secret',
    what: 'A client with a wrong secret',
    form: { client_secret: 'not-the-secret-of-this-client-0000' },
    status: 401,
    error: 'invalid_client',
    remedy: 'Authenticate the client before you look at the assertion.',
  },
  {
    check: 'wrong_grant',
    what: 'Another grant type',
    form: { grant_type: 'client_credentials' },
    error: 'unsupported_grant_type',
    remedy: 'Refuse every other "grant_type" with unsupported_grant_type.',
  },
];

/**
 * Checks that present valid and invalid ID-JAGs to the tool server. They replace the delegation of a hub.
 * @param options.scopes to request; default: `scopes_supported`
 */
export function redemptionChecks(options: {
  mint: MintIdJag;
  client: RedemptionClient;
  scopes?: readonly string[];
}): Check[] {
  const { client } = options;
  const good: { assertion?: string; accessToken?: string } = {};

  function orderFor(facts: Facts): IdJagOrder | undefined {
    const { resourceMetadata, issuer } = facts;
    if (!resourceMetadata || !facts.serverMetadata || issuer === undefined) return undefined;
    const { resource, scopes_supported } = resourceMetadata.metadata;
    const scopes = options.scopes ?? scopes_supported ?? [];
    return { resource, audience: issuer, clientId: client.id, scopes };
  }

  const send = ({ probe, facts }: Examination, form: Readonly<Record<string, string>>) => {
    const { secret } = client;
    const body = new URLSearchParams({ grant_type: GRANT_TYPE.jwtBearer, ...form });
    const headers: Record<string, string> = { 'Content-Type': 'application/x-www-form-urlencoded' };
    // `client_secret_basic` is the default of RFC 8414 §2
    const methods = facts.serverMetadata?.metadata.token_endpoint_auth_methods_supported;
    const given = form.client_secret ?? secret;
    if (methods?.includes('client_secret_post')) {
      body.set('client_id', client.id);
      body.set('client_secret', given);
    } else {
      body.delete('client_secret');
      headers.Authorization = `Basic ${btoa(`${encodeURIComponent(client.id)}:${encodeURIComponent(given)}`)}`;
    }
    return probe(facts.serverMetadata?.metadata.token_endpoint ?? '', { method: 'POST', headers, body });
  };

  /** Runs `run` with the tool server's ID-JAG request. A failure to mint is not a fault of the tool server. */
  const minting =
    (run: (examination: Examination, order: IdJagOrder) => Promise<Finding>): Check['run'] =>
    async (examination) => {
      const order = orderFor(examination.facts);
      if (!order) return skipped(NO_SERVER_METADATA);
      if (order.scopes.length === 0) return skipped('The scopes are unknown: publish "scopes_supported".');
      try {
        return await run(examination, order);
      } catch (err) {
        if (!(err instanceof MintFailed)) throw err;
        return skipped(`The identity provider did not mint an ID-JAG: ${err.message}.`);
      }
    };

  const redeems: Check = {
    check: 'good',
    run: minting(async (examination, order) => {
      const assertion = await options.mint(order);
      const answer = await send(examination, { assertion });
      if (answer.kind === 'failed') return unanswered(answer);
      const granted = Granted.safeParse(json(answer.text));
      if (answer.status !== 200)
        return fail(
          `A valid ID-JAG is refused: ${said(answer)}.`,
          `Trust this identity provider, and register the client ${shown(client.id)} with its secret.`,
        );
      if (!granted.success)
        return fail(
          'The response to a valid ID-JAG does not follow RFC 6749 §5.1.',
          'Respond with {access_token, token_type: "Bearer", expires_in}, with a lifetime of at most an hour and without a refresh_token.',
          { faults: granted.error.issues.map(({ path }) => shown(path.join('.'))) },
        );
      Object.assign(good, { assertion, accessToken: granted.data.access_token });
      return ok('A valid ID-JAG is redeemed.');
    }),
  };
  const replayed: Check = {
    check: 'replayed',
    async run(examination) {
      if (good.assertion === undefined) return skipped('No ID-JAG has been redeemed.');
      const answer = await send(examination, { assertion: good.assertion });
      const remedy =
        'Store "iss" and "jti" until "exp" plus the tolerance has passed, in a store that all processes share.';
      return judge(answer, { what: 'The same ID-JAG a second time', error: 'invalid_grant', remedy });
    },
  };
  const refusals = REFUSED.map(
    (refused): Check => ({
      check: refused.check,
      run: minting(async (examination, order) => {
        if (good.assertion === undefined)
          return skipped('No valid ID-JAG was redeemed, so a refusal proves nothing.');
        const assertion = await options.mint({ ...order, ...refused.order?.(order) });
        return judge(await send(examination, { assertion, ...refused.form }), refused);
      }),
    }),
  );
  return [redeems, replayed, ...refusals, opens(good), ...bearers(good, options.mint, minting)];
}

function judge(
  answer: Probed,
  { what, status = 400, error, remedy }: Pick<Refused, 'what' | 'status' | 'error' | 'remedy'>,
): Finding {
  if (answer.kind === 'failed') return unanswered(answer);
  if (answer.status < 300) return fail(`${what} is redeemed.`, remedy);
  const wanted = `${status} ${error}`;
  return said(answer) === wanted
    ? ok(`${what} is refused (${wanted}).`)
    : fail(`${what} gets ${said(answer)}, not ${wanted}.`, remedy);
}

/** Status and error code of a response */
function said({ status, text }: Probed & { kind: 'answered' }): string {
  const code = z.object({ error: z.string() }).safeParse(json(text)).data?.error;
  return code === undefined ? String(status) : `${status} ${shown(code)}`;
}

/** Sends a request to the MCP endpoint with a bearer token. */
const call = ({ probe, target, facts }: Examination, token: string) =>
  probe(endpointOf({ target, facts }), {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
  });

const opens = (good: { readonly accessToken?: string }): Check => ({
  check: 'access_token',
  async run(examination) {
    if (good.accessToken === undefined) return skipped('There is no access token.');
    const answer = await call(examination, good.accessToken);
    if (answer.kind === 'failed') return unanswered(answer);
    return answer.status === 401 || answer.status === 403
      ? fail(
          `The endpoint refuses the access token that was issued for it (${answer.status}).`,
          'Accept the tokens of your own token endpoint.',
        )
      : ok('The endpoint accepts the access token.');
  },
});

const bearers = (
  good: { readonly accessToken?: string },
  mint: MintIdJag,
  minting: (run: (examination: Examination, order: IdJagOrder) => Promise<Finding>) => Check['run'],
): Check[] => [
  {
    check: 'id_jag_as_token',
    run: minting(async (examination, order) => {
      if (good.accessToken === undefined) return skipped('There is no access token to compare with.');
      const answer = await call(examination, await mint(order));
      if (answer.kind === 'failed') return unanswered(answer);
      return answer.status === 401
        ? ok('An ID-JAG is not accepted as access token (401).')
        : fail(
            `An ID-JAG as access token gets ${answer.status}, not 401.`,
            'Accept only access tokens: "typ" at+jwt, from your own issuer.',
          );
    }),
  },
];
