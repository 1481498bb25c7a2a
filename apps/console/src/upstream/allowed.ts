/**
 * Operations that pages may call through the console: methods and paths below `/bff/api` and `/bff/hub`. All
 * others get 404. `*` stands for one segment, `{client}` for a segment that may also be the URL of a client.
 * Operations that issue a credential, or that no page uses, are not listed.
 */
export const ALLOWED = {
  /** Endpoints of the management API, below `/api/v1` */
  api: [
    'GET /rate-limit',
    'GET PATCH DELETE /organization',
    'POST /organization/restore',
    'GET /members',
    'GET PATCH DELETE /members/*',
    'POST /members/*/deactivate',
    'POST /members/*/reinstate',
    'GET POST /invitations',
    'GET DELETE /invitations/*',
    'POST /invitations/*/resend',
    'POST /revocations',
    'GET POST /service-accounts',
    'GET PATCH DELETE /service-accounts/*',
    'GET POST /service-accounts/*/keys',
    'GET DELETE /service-accounts/*/keys/*',
    'POST /service-accounts/*/keys/*/rotate',
    'GET POST /sites',
    'GET PATCH DELETE /sites/*',
    'POST /sites/*/restore',
    'GET POST DELETE /sites/*/origins',
    'POST /sites/*/origins/check',
    'GET /sites/*/agents',
    'GET PUT DELETE /sites/*/agents/*',
    'GET POST /agents',
    'GET PATCH DELETE /agents/*',
    'POST /agents/*/restore',
    'GET /agents/*/connectors',
    'GET PUT DELETE /agents/*/connectors/*',
    'GET /agents/*/sites',
    'GET POST /connectors',
    'GET PATCH DELETE /connectors/*',
    'GET /connectors/*/agents',
    'POST /connectors/*/restore',
    'PUT DELETE /connectors/*/secret',
    'POST /connectors/*/fallback-approval',
    'POST /connectors/*/check',
    'POST /connectors/*/revoke-tokens',
    'GET /overview',
    'GET /usage/calls',
    'GET /audit-events',
    'GET /audit-events/export',
    'GET /audit-events/*',
  ],
  /** Endpoints of the hub, below `/api/v1` */
  hub: [
    'GET /connectors',
    'GET /connectors/*/tools',
    'POST /connectors/*/tools/*/call',
    'GET /calls/*/explanation',
    'POST /doctor',
    'POST /connectors/*/doctor',
    'GET POST DELETE /connectors/*/connections',
    'GET /connections',
    'GET /rules',
    'GET /sessions',
    'DELETE /sessions/*',
    'GET /clients',
    'DELETE /clients/{client}',
  ],
} as const;

export type UpstreamName = keyof typeof ALLOWED;

/**
 * A path segment. `current` is excluded: it names the session of a token that the hub issued, and the console
 * has no such token; services compare paths without regard to case. A segment contains no percent-encoded
 * slash, backslash, dot, percent sign or control character.
 */
const SEGMENT = String.raw`(?!(?:\.{1,2}|[Cc][Uu][Rr][Rr][Ee][Nn][Tt])(?:/|$))(?:[A-Za-z0-9_.~!$&'()*+,;=:@|-]|%(?!2[EeFf]|5[Cc]|25|7[Ff]|[01])[0-9A-Fa-f]{2})+`;

/**
 * An https URL as one segment (a Client ID Metadata Document). Its slashes are encoded. Even decoded, it has
 * no empty segment and no dot segment, which a service in front of the hub might resolve.
 */
const ADDRESS = String.raw`https%3A%2F(?:%2F(?!\.{1,2}(?:%2F|/|$))(?:[A-Za-z0-9_.~!$&'()*+,;=:@|-]|%(?!2[EeFf]|5[Cc]|25|7[Ff]|[01])[0-9A-Fa-f]{2})+)+`;
const CLIENT = `(?:${SEGMENT}|${ADDRESS})`;

const RULES = { api: ALLOWED.api.map(toRule), hub: ALLOWED.hub.map(toRule) };

function toRule(line: string) {
  const words = line.split(' ');
  const path = words.pop() ?? '';
  const literal = path.replaceAll('.', String.raw`\.`);
  return {
    methods: words,
    path: new RegExp(
      `^${literal.replaceAll(/\*|\{client\}/g, (part) => (part === '*' ? SEGMENT : CLIENT))}$`,
    ),
  };
}

/** @param path path as sent, without the query: it is neither decoded nor normalised before it is forwarded */
export const isAllowed = (upstream: UpstreamName, method: string, path: string): boolean =>
  RULES[upstream].some((rule) => rule.methods.includes(method) && rule.path.test(path));
