import type { ClientCredentials } from '@legate/client-authentication';
import type { KindName } from '@legate/identity-providers';
import type { Probe, Skew } from '../reports/probe.ts';
import type { Finding, ProviderLeg, Status } from '../reports/report.ts';
import type { ProviderError } from './hints.ts';
import type { PeerText } from './peer-text.ts';
import type { ProviderMetadata } from './provider-metadata.ts';

/** The tokens of a sign-in at the provider; none of them is ever reported */
export interface SignInTokens {
  readonly idToken?: string | undefined;
  readonly accessToken?: string | undefined;
  readonly refreshToken?: string | undefined;
}

/** The provider to examine, and what is known about the hub's client there */
export interface ProviderTarget {
  /** The issuer as it would be configured, to the letter */
  readonly issuer: string;
  /** Undefined: the kind that the metadata look like */
  readonly kind?: KindName | undefined;
  /** IP addresses of the issuer's host; undefined: not known */
  readonly addresses?: readonly string[] | undefined;
  readonly clientId?: string | undefined;
  readonly credentials?: ClientCredentials | undefined;
  /** What a delegation would request; the issuer of a tool server's authorization server, or an API at the provider */
  readonly audience?: string | undefined;
  readonly resource?: string | undefined;
  readonly scopes?: readonly string[] | undefined;
  readonly tokens?: SignInTokens | undefined;
  /**
   * Signs a user in and returns the tokens.
   * @param scope requested
   * @param credentials with which the code is redeemed; undefined: none, as of a public client
   * @throws {SignInFailed}
   */
  readonly signIn?:
    | ((scope: string, credentials: ClientCredentials | undefined) => Promise<SignInTokens>)
    | undefined;
  /** Shows the values of claims, not only their names */
  readonly showsValues?: boolean | undefined;
  /** Where the secret or the keys were read from, for the settings to paste */
  readonly secretFile?: string | undefined;
  readonly keysFile?: string | undefined;
}

/** A user could not be signed in. The message is safe to show. */
export class SignInFailed extends Error {
  override readonly name = 'SignInFailed';
  /** Undefined: no token endpoint refused the sign-in */
  readonly refusal: ProviderError | undefined;

  constructor(
    message: string,
    options: { readonly cause?: unknown; readonly refusal?: ProviderError | undefined } = {},
  ) {
    super(message, options);
    this.refusal = options.refusal;
  }
}

export type Claims = Readonly<Record<string, unknown>>;

/** The results of the legs so far. */
export interface ProviderFacts {
  metadata?: ProviderMetadata;
  /** True if the metadata name exactly the issuer that was given: only then anything secret is sent */
  isIssuerEqual: boolean;
  kind: KindName;
  /** The key set of the provider */
  keys?: unknown;
  tokens?: SignInTokens;
  /** The claims of the ID token, verified if the leg `sign_in` succeeded */
  idToken?: Claims;
  /** A rule for the organization, in JSON and to be filled in, if the claim of the kind does not do */
  organizationRule?: string;
  /** A claim of ID tokens that marks an access token, and must be allowed */
  allowedMark?: string;
  /** The results of the legs that have run */
  readonly results: Map<ProviderLeg, Status>;
  readonly skews: Skew[];
}

export interface ProviderExamination {
  readonly target: ProviderTarget;
  readonly facts: ProviderFacts;
  readonly probe: Probe;
  readonly text: PeerText;
  readonly clock: () => Date;
}

export interface Leg {
  readonly check: ProviderLeg;
  run(examination: ProviderExamination): Promise<Finding> | Finding;
}

export const NO_METADATA = 'Not run, because there are no metadata.';
export const OTHER_ISSUER =
  'Not run, because the metadata name another issuer, or an unsafe address: nothing secret is sent there.';
