import { readFileSync } from 'node:fs';
import { differences, fill, parsed } from './values.mjs';

const FILE = JSON.parse(readFileSync(new URL('cases.json', import.meta.url), 'utf8'));
const TIMEOUT_MS = 10_000;

/**
 * Runs the cases of `cases.json` against a tool server.
 * @param options.endpoint its MCP endpoint
 * @param options.idp an identity provider that it trusts
 * @returns for each case `ok`, `failed` or `skipped`, and why
 */
export async function runCases({ endpoint, idp, ...settings }) {
  const values = { ...(await discover(endpoint)), ...given(settings), endpoint, issuer: idp.issuer };
  const results = [];
  for (const one of FILE.cases) {
    const { id, duty, title } = one;
    results.push({ id, duty, title, ...(await runCase(one, { values, idp, results })) });
  }
  return results;
}

async function runCase({ requests, needs = [], settings = [] }, { values, idp, results }) {
  const unset = settings.filter((name) => values[name] === undefined);
  if (unset.length > 0) return { status: 'skipped', details: [`needs the settings ${unset.join(', ')}`] };
  const missing = needs.filter((need) => results.find(({ id }) => id === need)?.status !== 'ok');
  if (missing.length > 0)
    return { status: 'skipped', details: [`proves nothing, as ${missing.join(', ')} is not ok`] };
  try {
    for (const request of requests) {
      const details = await runRequest(request, values, idp);
      if (details.length > 0) return { status: 'failed', details };
    }
    return { status: 'ok', details: [] };
  } catch (err) {
    return { status: 'failed', details: [`${err.message}${err.cause ? `: ${err.cause.message}` : ''}`] };
  }
}

async function runRequest({ idJag, expect, save = {}, ...request }, values, idp) {
  const uses = JSON.stringify(request).includes('{{assertion}}');
  const assertion = uses ? await idp.makeIdJag(FILE.idJag, idJag, values) : undefined;
  const all = { ...values, assertion };
  const answer = await send(fill(request, all));
  const details = differences(fill(expect, all), answer);
  if (details.length > 0 && answer.status >= 400) details.push(`it answered ${answer.text.slice(0, 300)}`);
  const body = parsed(answer.text);
  for (const [name, target] of Object.entries(save)) {
    if (name === 'used_assertion') values.used_assertion = assertion;
    else values[target] = body?.[name];
  }
  return details;
}

async function send({ method, url, headers, form, json }) {
  const pairs = Object.entries(form ?? {}).flatMap(([name, value]) =>
    [value].flat().map((one) => [name, one]),
  );
  const body = form ? new URLSearchParams(pairs) : json && JSON.stringify(json);
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch(url, { method, headers, body, redirect: 'manual', signal });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** Reads the addresses that the cases name from the server's metadata. */
async function discover(endpoint) {
  const { origin } = new URL(endpoint);
  const resource_metadata = `${origin}/.well-known/oauth-protected-resource`;
  const resource = await read(resource_metadata);
  const server_issuer = resource.authorization_servers?.[0] ?? origin;
  const { origin: host, pathname } = new URL(server_issuer);
  const path = pathname === '/' ? '' : pathname;
  const server_metadata = `${host}/.well-known/oauth-authorization-server${path}`;
  const { token_endpoint, jwks_uri } = await read(server_metadata);
  return { resource_metadata, server_issuer, server_metadata, token_endpoint, jwks_uri };
}

/** A fault of the metadata is reported by the cases about metadata. */
async function read(url) {
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  return parsed(await response.text()) ?? {};
}

function given({ resource, clientId, clientSecret, scope, tool, toolScope }) {
  const basic = (secret) => `Basic ${btoa(`${encodeURIComponent(clientId)}:${encodeURIComponent(secret)}`)}`;
  return {
    resource,
    client_id: clientId,
    basic: basic(clientSecret),
    wrong_basic: basic('not-the-secret-of-this-client-0000'),
    scope,
    tool,
    tool_scope: toolScope,
  };
}
