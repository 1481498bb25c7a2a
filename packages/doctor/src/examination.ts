import type { AuthorizationServerMetadata, ProtectedResourceMetadata } from '@legate/oauth';
import type { Probe, Probed, Skew } from './reports/probe.ts';
import type { CheckName, Finding } from './reports/report.ts';

/** The target of an examination, and the expected values. */
export interface Target {
  /** MCP endpoint that a hub would use */
  readonly mcpUrl: string;
  /** Other possible URLs of the endpoint; the finding suggests the one that works */
  readonly otherEndpoints: readonly string[];
  /** Possible identifiers of the tool server: one for a connector, several if only a URL is known */
  readonly resources: readonly [string, ...string[]];
  /** Authorization server that a connector pins */
  readonly issuer: string | undefined;
  /** True if a connector's client has no secret that could be sent to the wrong server */
  readonly isPublicClient: boolean;
  /** The scopes that a connector requests; undefined: there is no connector */
  readonly scopes: readonly string[] | undefined;
  /** The methods by which a connector's client may authenticate; undefined: there is no connector */
  readonly clientAuthMethods: readonly string[] | undefined;
  /** False for a tool server without an authorization server, such as one with an API key */
  readonly hasAuthorizationServer: boolean;
  readonly usesIdJag: boolean;
  /** Set if users give consent themselves; `judge` checks that the authorization server supports this */
  readonly consent: { judge(serverMetadata: AuthorizationServerMetadata): Finding } | undefined;
}

/** The results of the examination so far. */
export interface Facts {
  /** The MCP endpoint, if it is not the one in the target */
  endpoint?: string;
  /** The endpoint's response without a token */
  toStranger?: Probed;
  readonly skews: Skew[];
  resourceMetadata?: { readonly url: string; readonly metadata: ProtectedResourceMetadata };
  /** The authorization server that a hub would choose */
  issuer?: string;
  serverMetadata?: { readonly url: string; readonly metadata: AuthorizationServerMetadata };
}

export interface Examination {
  readonly target: Target;
  readonly probe: Probe;
  readonly facts: Facts;
}

/** Returns the MCP endpoint of the tool server, if it is known. */
export const endpointOf = ({ target, facts }: Pick<Examination, 'target' | 'facts'>): string =>
  facts.endpoint ?? target.mcpUrl;

export interface Check {
  readonly check: CheckName;
  run(examination: Examination): Promise<Finding> | Finding;
}
