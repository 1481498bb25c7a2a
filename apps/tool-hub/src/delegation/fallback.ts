import type { Caller } from '../caller/caller.ts';
import type { Connector } from '../connectors/connector.ts';
import type { AuthMethod, MethodSettings } from '../connectors/method-settings.ts';
import { type Delegation, type DelegationMethod, isRenewable } from './delegation.ts';

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
 * not be had another way, and an outage or a fault must not turn a user's call into a service's.
 */
export function createFallback(methods: Methods): Delegate {
  return async (caller, connector, scopes, onOutcome, rejected) => {
    const [first, ...fallbacks] = connector.methods;
    let delegation = await attempt(first);
    for (const settings of fallbacks) {
      if (delegation.outcome !== 'unsupported') break;
      delegation = await attempt(settings);
    }
    return delegation;

    async function attempt(settings: MethodSettings): Promise<Delegation> {
      const { method } = settings;
      const tried = refuseScopes(method, connector, scopes) ?? (await run(settings));
      onOutcome(method, tried);
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
