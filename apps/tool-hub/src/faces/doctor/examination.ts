import type { AuthorizationServerMetadata, ProtectedResourceMetadata } from '@legate/oauth';
import type { Probe, Probed, Skew } from './probe.ts';
import type { CheckName, Finding } from './report.ts';

/** What is examined, and what is expected of it. */
export interface Target {
  /** MCP endpoint */
  readonly mcpUrl: string;
  /** Identifiers that the tool server may have. A connector has one; a URL alone leaves it open. */
  readonly resources: readonly [string, ...string[]];
  /** Authorization server that a connector is pinned to */
  readonly issuer: string | undefined;
  /** Whether a connector's client has no secret that could be sent to the wrong one */
  readonly isPublicClient: boolean;
  /** What a connector asks for; undefined: it is not known yet who will ask */
  readonly scopes: readonly string[] | undefined;
  /** How a connector's client proves itself; undefined: it is not known yet */
  readonly clientAuthMethod: string | undefined;
  /** False for a tool server whose tokens come from nobody, such as one with an API key */
  readonly hasAuthorizationServer: boolean;
  readonly usesIdJag: boolean;
  /** Present where users consent themselves; `clientDocument`: our `client_id`, where nobody has registered one */
  readonly consent: { readonly clientDocument: string | undefined } | undefined;
}

/** What has been found out so far. */
export interface Facts {
  /** The endpoint's answer to a stranger */
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

export interface Check {
  readonly check: CheckName;
  run(examination: Examination): Promise<Finding> | Finding;
}
