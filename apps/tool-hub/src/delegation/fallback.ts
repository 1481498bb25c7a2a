import type { Logger } from '@legate/service';
import type { Caller } from '../caller/caller.ts';
import type { Connector } from '../connectors/connector.ts';
import type { AuthMethod, MethodSettings } from '../connectors/method-settings.ts';
import { type Delegation, type DelegationMethod, isRenewable } from './delegation.ts';
import type { IdJagRecord } from './id-jag-record.ts';
import { recordUnavailable } from './problems.ts';

export type Methods = {
  readonly [Settings in MethodSettings as Settings['method']]: DelegationMethod<Settings>;
};

/** @param onOutcome told of each method that was tried */
export type Delegate = (
  caller: Caller,
  connector: Connector,
  scopes: readonly string[],
  onOutcome: (method: AuthMethod, delegation: Delegation) => void,
  rejected?: string | undefined,
) => Promise<Delegation>;

/**
 * Tries a connector's methods in its order. Only one that does not exist there leads on to the next: what was denied must
 * not be had another way, and an outage or a fault must not turn a user's call into a service's. Where ID-JAGs have worked
 * before, their absence needs an administrator's approval as well: it is the tool server that says they are absent.
 * @throws {Problem} 503 `token_store_unavailable`: whether ID-JAGs have worked there is not known then
 */
export function createFallback(methods: Methods, idJags: IdJagRecord, log: Logger): Delegate {
  return async (caller, connector, scopes, onOutcome, rejected) => {
    const [first, ...fallbacks] = connector.methods;
    let delegation = await attempt(first);
    let tried = first;
    for (const settings of fallbacks) {
      if (delegation.outcome !== 'unsupported') break;
      if (tried.method === 'id-jag' && (await isBlocked())) {
        delegation = { outcome: 'denied', by: 'fallback', scopes: [], reason: delegation.reason };
        onOutcome(settings.method, delegation);
        break;
      }
      tried = settings;
      delegation = await attempt(settings);
    }
    return delegation;

    async function isBlocked(): Promise<boolean> {
      return idJags.blocksFallback(connector).catch((cause: unknown) => {
        throw recordUnavailable(connector, cause);
      });
    }

    async function attempt(settings: MethodSettings): Promise<Delegation> {
      const { method } = settings;
      const tried = refuseScopes(method, connector, scopes) ?? (await run(settings));
      onOutcome(method, tried);
      // Before anybody is answered: another process may be asked next. An outage of the store must not cost the user's call.
      if (tried.passage?.usedIdJag)
        await idJags.write(connector).catch((err: unknown) => {
          log.warn({ err, connector_id: connector.id }, 'use of id-jag cannot be recorded');
        });
      return tried;
    }

    function run(settings: MethodSettings): Promise<Delegation> {
      switch (settings.method) {
        case 'id-jag':
          return methods[settings.method](caller, connector, settings, scopes);
        case 'passthrough':
          return methods[settings.method](caller, connector, settings, scopes);
        case 'service':
          return methods[settings.method](caller, connector, settings, scopes);
        case 'oauth-pkce':
          return methods[settings.method](caller, connector, settings, scopes, rejected);
      }
    }
  };
}

/** A credential that nobody issues for us has the rights that it has: it can be neither narrowed nor widened. */
function refuseScopes(
  method: AuthMethod,
  { binding }: Connector,
  scopes: readonly string[],
): Delegation | undefined {
  if (isRenewable(method)) return undefined;
  if (binding?.scopesKey !== undefined)
    return { outcome: 'denied', by: 'binding', scopes, reason: `${method} cannot be narrowed to scopes` };
  if (scopes.length > 0)
    return { outcome: 'denied', by: 'tool_server', scopes, reason: `${method} cannot be given scopes` };
  return undefined;
}
