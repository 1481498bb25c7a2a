import type { ConnectorId, OrganizationId } from '@legate/ids';
import type { NamedSettings } from './method-settings.ts';

/** A tool server as one organization uses it. Holds secrets: never sent to anyone, never logged. */
export interface Connector<Settings extends NamedSettings = NamedSettings> {
  readonly id: ConnectorId;
  readonly organizationId: OrganizationId;
  /** Resource identifier (RFC 8707, RFC 9728), as configured: compared as a string. */
  readonly resource: string;
  /** MCP endpoint */
  readonly mcpUrl: string;
  /**
   * Authentication methods, in order. The later ones are the fallbacks that an administrator has listed: each is tried
   * only if the one before is not supported (`unsupported`), and none after any other outcome. Without duplicates.
   */
  readonly methods: readonly [Settings, ...Settings[]];
  /** Requested with every delegation; empty: those of the resource metadata. */
  readonly scopes: readonly string[];
  /** Additional scopes that single requests may need, if their tool server requires them. */
  readonly stepUpScopes?: readonly string[] | undefined;
  /** Names of the methods that have worked there since the fallback was last approved. */
  readonly usedMethods?: readonly string[] | undefined;
  /** Names the administrator's last approval of the fallback, where there is one; each approval has another name. */
  readonly fallbackApproval?: string | undefined;
  /** Present where an agent acts, and the connector is narrowed to what is bound to it. */
  readonly binding?:
    | {
        /** Stands for `scopes` where these are fewer than the connector's; no other scope is then ever asked for. */
        readonly scopesKey: string | undefined;
      }
    | undefined;
}

/** Returns whether the connector's administrator lets these scopes be asked for, with every token or for a single request. */
export const allowsScopes = (
  { scopes, stepUpScopes = [] }: Pick<Connector, 'scopes' | 'stepUpScopes'>,
  wanted: readonly string[],
): boolean => wanted.every((scope) => scopes.includes(scope) || stepUpScopes.includes(scope));
