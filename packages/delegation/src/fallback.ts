import type { Logger } from '@legate/service/outbound';
import type { Caller } from './domain/caller.ts';
import type { Connector } from './domain/connector.ts';
import { type Delegation, type Refusal, storeUnavailable } from './domain/delegation.ts';
import { type AuthMethod, isRenewable, isWeaker } from './methods/facts.ts';
import type { Methods } from './methods/methods.ts';
import type { MethodSettings, ServedConnector } from './methods/settings.ts';
import type { UseRecords } from './use-record.ts';

/** @param onOutcome called for each method that was tried */
export type Delegate = (
  caller: Caller,
  connector: ServedConnector,
  scopes: readonly string[],
  onOutcome: (method: AuthMethod, delegation: Delegation) => void,
  rejected?: string | undefined,
) => Promise<Delegation>;

/**
 * Tries a connector's methods in order. Only an unsupported method leads to the next: a denial must not be bypassed by
 * another method, and an outage or a fault must not turn a user's call into a service's. If a method that asks an
 * authorization server has worked before, a weaker one also needs an administrator's approval, because only the tool
 * server claims that the method is absent.
 */
export function createFallback(methods: Methods, records: UseRecords, log: Logger): Delegate {
  return async (caller, connector, scopes, onOutcome, rejected) => {
    const [first, ...fallbacks] = connector.methods;
    let delegation = await attempt(first);
    const tried = [first.method];
    for (const settings of fallbacks) {
      if (delegation.outcome !== 'unsupported') break;
      const refusal = await refuseWeaker(settings.method, delegation.reason);
      if (refusal) {
        delegation = refusal;
        onOutcome(settings.method, delegation);
        break;
      }
      tried.push(settings.method);
      delegation = await attempt(settings);
    }
    return delegation;

    async function refuseWeaker(next: AuthMethod, reason: string): Promise<Refusal | undefined> {
      for (const method of tried) {
        if (!isRenewable(method) || !isWeaker(next, method)) continue;
        try {
          if (await records(method).blocksFallback(connector))
            return { outcome: 'denied', by: 'fallback', scopes: [], reason };
        } catch (err) {
          return storeUnavailable('use_record', err);
        }
      }
      return undefined;
    }

    async function attempt(settings: MethodSettings): Promise<Delegation> {
      const { method } = settings;
      const tried = refuseScopes(method, connector, scopes) ?? (await run(settings));
      onOutcome(method, tried);
      // Recorded before any response, because another process may handle the next request. An outage of the store must
      // not fail the user's call.
      const used = tried.facts?.usedMethod;
      if (used !== undefined)
        await records(used)
          .write(connector)
          .catch((err: unknown) => {
            log.warn({ err, connector_id: connector.id, method }, 'use of a method cannot be recorded');
          });
      return tried;
    }

    function run<Name extends AuthMethod>(settings: MethodSettings<Name>): Promise<Delegation> {
      return methods[settings.method](caller, connector, settings, scopes, rejected);
    }
  };
}

/**
 * Refuses scopes for a credential that is not issued for us: its permissions are fixed, so it can be neither narrowed
 * nor widened.
 */
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
