/** The identity with which a tool server sees a call: the user or a service */
export type ActsAs = 'user' | 'service';

/** The properties of an authentication method: the settings that it requires from a connector, and how it uses them. */
export interface AuthMethodFacts {
  readonly name: string;
  readonly actsAs: ActsAs;
  /**
   * The party that decides whether a user gets a credential. `identity_provider`: the one of the user's organization,
   * based on the user's sign-in, to which the token is then bound.
   */
  readonly grantedBy: 'identity_provider' | 'user' | 'administrator';
  /** True for a method that may be a fallback of another one */
  readonly isFallback: boolean;
  /** The hub's client at an authorization server; `optional`: without one, a Client ID Metadata Document identifies the hub. */
  readonly client: 'required' | 'optional' | 'none';
  /** The credential that the hub itself presents; `client`: the client's secret, if there is a client. */
  readonly secret: 'required' | 'client' | 'none';
  /**
   * True if the authorization server of the connector issues the token: it is stored between calls, and another token
   * can be requested.
   */
  readonly issuesTokens: boolean;
  /** True if the `audience` of the exchange for an ID-JAG can be set */
  readonly hasAudience: boolean;
  /** True if a user's access token is exchanged: the connector has the audience of the new one (`exchange_audience`). */
  readonly exchangesAccessTokens: boolean;
  /** True if an administrator has to acknowledge that the method bypasses audience scoping */
  readonly isLegacy: boolean;
}
