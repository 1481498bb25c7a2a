import type { IdJagOrder } from './id-jag-mint.ts';
import type { RedemptionCheck } from './reports/report.ts';

const EXPIRED_SECONDS = -600;
const OTHER = 'https://another-tool-server.example';

/** A request that the tool server must refuse, and the expected response. */
export interface Refused {
  readonly check: RedemptionCheck;
  readonly what: string;
  readonly order?: (order: IdJagOrder) => Partial<IdJagOrder>;
  readonly form?: Readonly<Record<string, string>>;
  readonly status?: number;
  readonly error: string;
  readonly remedy: string;
}

export const REFUSED: readonly Refused[] = [
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
