import { GRANT_TYPE } from '@legate/oauth';
import { z } from 'zod';
import { type Check, type Examination, endpointOf, type Facts } from './examination.ts';
import { type IdJagOrder, MintFailed, type MintIdJag } from './id-jag-mint.ts';
import { remedyForRefusal } from './redemption-remedies.ts';
import { REFUSED, type Refused } from './refused-requests.ts';
import { json, outage, remedyForOutage, unanswered } from './reports/answers.ts';
import type { Probed } from './reports/probe.ts';
import { type Finding, fail, ok, shown, skipped } from './reports/report.ts';

/** A client that is registered at the tool server */
export interface RedemptionClient {
  readonly id: string;
  readonly secret: string;
}

const Granted = z.object({
  access_token: z.string().min(1),
  token_type: z.string().regex(/^bearer$/i),
  expires_in: z.number().int().positive().max(3600).optional(),
  refresh_token: z.undefined().optional(),
});

/** The valid ID-JAG, once it is redeemed; the other checks prove something only then. */
interface Good {
  redeemed?: { readonly order: IdJagOrder; readonly assertion: string; readonly accessToken: string };
}

/** Reports an identity provider that mints nothing, which is a fault: the check has tried nothing. */
const minting =
  (run: Check['run']): Check['run'] =>
  async (examination) => {
    try {
      return await run(examination);
    } catch (err) {
      if (!(err instanceof MintFailed)) throw err;
      return fail(`The identity provider minted no ID-JAG: ${err.message}.`, err.remedy);
    }
  };

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
  const good: Good = {};

  function orderFor({ resourceMetadata, serverMetadata, issuer }: Facts): IdJagOrder | undefined {
    if (!resourceMetadata || !serverMetadata || issuer === undefined) return undefined;
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

  // Never skipped: without it nothing was tried, and a report without a fault would say otherwise.
  const redeems: Check = {
    check: 'good',
    run: minting(async (examination) => {
      const order = orderFor(examination.facts);
      if (!order)
        return fail(
          'No ID-JAG was tried, because there is no authorization server metadata.',
          'Fix the checks above first.',
        );
      if (order.scopes.length === 0)
        return fail(
          'No ID-JAG was tried, because the scopes are unknown.',
          'List them in "scopes_supported" of the protected resource metadata.',
        );
      const assertion = await options.mint(order);
      // As a hub sends it
      const { resource, scopes } = order;
      const answer = await send(examination, { assertion, resource, scope: scopes.join(' ') });
      if (answer.kind === 'failed') return unanswered(answer);
      if (answer.status !== 200) return refusalOfGood(answer, order, assertion);
      const granted = Granted.safeParse(json(answer.text));
      if (!granted.success)
        return fail(
          'The response to a valid ID-JAG does not follow RFC 6749 §5.1.',
          'Respond with {access_token, token_type: "Bearer", expires_in}, with a lifetime of at most an hour and without a refresh_token.',
          { faults: granted.error.issues.map(({ path }) => shown(path.join('.'))) },
        );
      good.redeemed = { order, assertion, accessToken: granted.data.access_token };
      return ok('A valid ID-JAG is redeemed.');
    }),
  };
  const replayed: Check = {
    check: 'replayed',
    async run(examination) {
      if (!good.redeemed) return skipped('No ID-JAG has been redeemed.');
      const answer = await send(examination, { assertion: good.redeemed.assertion });
      const remedy =
        'Store "iss" and "jti" until "exp" plus the tolerance has passed, in a store that all processes share.';
      return judge(answer, { what: 'The same ID-JAG a second time', error: 'invalid_grant', remedy });
    },
  };
  const refusals = REFUSED.map(
    (refused): Check => ({
      check: refused.check,
      run: minting(async (examination) => {
        if (!good.redeemed) return skipped('No valid ID-JAG was redeemed, so a refusal proves nothing.');
        const { order } = good.redeemed;
        const assertion = await options.mint({ ...order, ...refused.order?.(order) });
        return judge(await send(examination, { assertion, ...refused.form }), refused);
      }),
    }),
  );
  return [redeems, replayed, ...refusals, opens(good), presentsIdJag(good, options.mint)];
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
    : fail(`${what} gets ${said(answer)}, not ${wanted}.`, remedyForOutage(answer.status) ?? remedy);
}

const errorOf = (text: string): string | undefined =>
  z.object({ error: z.string() }).safeParse(json(text)).data?.error;

/** Status and error code of a response */
function said({ status, text }: Probed & { kind: 'answered' }): string {
  const code = errorOf(text);
  return code === undefined ? String(status) : `${status} ${shown(code)}`;
}

function refusalOfGood(
  answer: Probed & { kind: 'answered' },
  { audience, resource, clientId, scopes }: IdJagOrder,
  assertion: string,
): Finding {
  const iss = issuerOf(assertion);
  return fail(
    `A valid ID-JAG is not redeemed: ${said(answer)}.`,
    remedyForRefusal(
      // RFC 6749 §5.2: a 401 is about the client
      { status: answer.status, error: answer.status === 401 ? 'invalid_client' : errorOf(answer.text) },
      { iss, aud: audience, resource, clientId },
      `Compare the client ${shown(clientId)} (--client-id) and its secret (CLIENT_SECRET) with the clients that are registered there.`,
    ),
    {
      ...(iss !== undefined && { iss: shown(iss) }),
      aud: shown(audience),
      resource: shown(resource),
      client_id: shown(clientId),
      scope: shown(scopes.join(' ')),
    },
  );
}

/** Returns `iss` of an ID-JAG, without verifying it. */
function issuerOf(idJag: string): string | undefined {
  const [, payload = ''] = idJag.split('.');
  return z.object({ iss: z.string() }).safeParse(json(Buffer.from(payload, 'base64url').toString())).data
    ?.iss;
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

const opens = (good: Good): Check => ({
  check: 'access_token',
  async run(examination) {
    if (!good.redeemed) return skipped('There is no access token.');
    const answer = await call(examination, good.redeemed.accessToken);
    if (answer.kind === 'failed') return unanswered(answer);
    if (answer.status === 401 || answer.status === 403)
      return fail(
        `The endpoint refuses the access token that was issued for it (${answer.status}).`,
        'Accept the tokens of your own token endpoint.',
      );
    return outage(answer) ?? ok('The endpoint accepts the access token.');
  },
});

const presentsIdJag = (good: Good, mint: MintIdJag): Check => ({
  check: 'id_jag_as_token',
  run: minting(async (examination) => {
    if (!good.redeemed) return skipped('There is no access token to compare with.');
    const answer = await call(examination, await mint(good.redeemed.order));
    if (answer.kind === 'failed') return unanswered(answer);
    return answer.status === 401
      ? ok('An ID-JAG is not accepted as access token (401).')
      : fail(
          `An ID-JAG as access token gets ${answer.status}, not 401.`,
          remedyForOutage(answer.status) ?? 'Accept only access tokens: "typ" at+jwt, from your own issuer.',
        );
  }),
});
