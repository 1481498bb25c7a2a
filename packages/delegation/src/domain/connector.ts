import type { ConnectorId, OrganizationId } from '@legate/ids';
import type { NamedSettings } from './method-settings.ts';

/** The configuration of a tool server in one organization. Contains secrets: never send it to anyone, never log it. */
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
  /** The scopes that are requested with every delegation; empty: those of the resource metadata. */
  readonly scopes: readonly string[];
  /** Additional scopes that single requests may need, if their tool server requires them. */
  readonly stepUpScopes?: readonly string[] | undefined;
  /** Names of the methods that have worked at this tool server since the fallback was last approved. */
  readonly usedMethods?: readonly string[] | undefined;
  /** Id of the administrator's last approval of the fallback, if there is one; each approval has another id. */
  readonly fallbackApproval?: string | undefined;
  /** Set if an agent acts: the connector is limited to the scopes that are bound to the agent. */
  readonly binding?:
    | {
        /** Represents `scopes` if these are fewer than the connector's; no other scope is ever requested then. */
        readonly scopesKey: string | undefined;
      }
    | undefined;
}

/** Returns true if the connector's administrator permits these scopes, with every token or for a single request. */
export const allowsScopes = (
  { scopes, stepUpScopes = [] }: Pick<Connector, 'scopes' | 'stepUpScopes'>,
  wanted: readonly string[],
): boolean => wanted.every((scope) => scopes.includes(scope) || stepUpScopes.includes(scope));
