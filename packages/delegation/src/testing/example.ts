import { setTimeout as wait } from 'node:timers/promises';
import {
  type Caller,
  createDelegations,
  createIdentityProvider,
  createIdJagMethod,
  createPause,
  createSharedFlight,
  createTokenCache,
  createToolServerDiscovery,
  createUserPolicy,
  type IdJagSettings,
  type Obtained,
  type ServedConnector,
} from '@legate/delegation';
import { ConnectorId, OrganizationId, UserId } from '@legate/ids';
import { createMemoryBackend, createSecureStore, generateEncryptionKeys } from '@legate/secure-store';
import { createLogger } from '@legate/service';
import { createSingleFlight } from '@legate/single-flight';

const settings: IdJagSettings = {
  method: 'id-jag',
  clientId: 'hub-at-tools',
  clientAuth: { method: 'client_secret_post', clientSecret: 'the-secret-at-the-tool-server' },
  issuer: undefined, // the authorization server at the tool server's own origin
  audience: undefined, // derived from its metadata
};
const tools: ServedConnector = {
  id: ConnectorId.parse('tools'),
  organizationId: OrganizationId.parse('acme'),
  resource: 'https://tools.example',
  mcpUrl: 'https://tools.example/mcp',
  methods: [settings],
  scopes: ['read'],
};

/** @param fetch one that checks addresses: the URLs come from the tool server's metadata */
export function createTokens(fetch: typeof globalThis.fetch) {
  const clock = () => new Date();
  const log = createLogger({ service: 'example', level: 'warn' });
  const backend = createMemoryBackend({ clock }); // or Redis, shared by all processes
  const store = createSecureStore({ backend, keys: generateEncryptionKeys() });
  const identityProvider = createIdentityProvider({
    issuer: 'https://idp.example',
    clientId: 'hub',
    clientAuth: { method: 'client_secret_post', clientSecret: 'the-secret-at-the-idp' },
    fetch,
    clock,
  });
  const idJag = createIdJagMethod({
    identityProvider,
    idJagOrganization: 'required',
    organizationRule: { claim: 'organization_id' },
    discover: createToolServerDiscovery({ fetch, clock }),
    policy: createUserPolicy({ identityProvider, clock }),
    fetch,
    clock,
    pause: createPause({ random: Math.random, wait }),
    measureLeg: (_leg, work) => work(),
  });
  const delegations = createDelegations({
    cache: createTokenCache({ store, clock, log, onLookup: () => {} }),
    flights: createSingleFlight<Obtained>(),
    shared: createSharedFlight({ backend, wait }),
    // `createFallback` tries several methods in their order.
    delegate: (caller, connector, scopes) => idJag(caller, connector, settings, scopes),
    signOuts: { entryNamesOf: () => [], check: () => {}, readAndCheck: async () => {} },
    rememberSignIn: async () => {},
    outcomes: { inc: () => {} },
    log,
  });

  /** @param idToken verified before: the package reads the user from the arguments */
  return (idToken: string, userId: string) => {
    const caller: Caller = {
      userId: UserId.parse(userId),
      organizationId: tools.organizationId,
      subjectToken: idToken,
      subjectTokenId: 'for-the-audit-trail',
      audiences: ['app'],
      authentication: { client: 'app' },
    };
    return delegations.obtain(caller, tools, { scopes: [] });
  };
}
