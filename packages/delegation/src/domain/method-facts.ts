/** The identity with which a tool server sees a call: the user or a service */
export type ActsAs = 'user' | 'service';

/** What an authentication method asks of a connector's settings, and does with them. */
export interface AuthMethodFacts {
  readonly name: string;
  readonly actsAs: ActsAs;
  /**
   * Who decides that a user gets a credential; `identity_provider`: of the user's organization, by the user's sign-in, to
   * which the token is bound then. No other method is stronger.
   */
  readonly grantedBy: 'identity_provider' | 'user' | 'administrator';
  /** True for a method that may stand behind another */
  readonly isFallback: boolean;
  /** The hub's client at an authorization server; `optional`: without one, a Client ID Metadata Document identifies the hub. */
  readonly client: 'required' | 'optional' | 'none';
  /** What the hub itself presents; `client`: the client's secret, if there is a client. */
  readonly secret: 'required' | 'client' | 'none';
  /** True if the authorization server of the connector issues the token: it is kept between calls, and another can be asked for. */
  readonly issuesTokens: boolean;
  /** True if the `audience` of the token exchange can be set */
  readonly hasAudience: boolean;
  /** True if an administrator has to acknowledge that the method bypasses audience scoping */
  readonly isLegacy: boolean;
}
