import { fileURLToPath, pathToFileURL } from 'node:url';
import { CONNECTOR_ENCRYPTION_KEYS, IDP_ADMIN_KEY, IDP_CLIENTS, TRANSACTION_CLIENT } from '../scene/scene.ts';
import { hasHubKey, writeHubKey } from './hub-keys.ts';
import {
  type ImitatedName,
  imitatedIssuer,
  imitatedOrganizationRule,
  kindNameOf,
  kindOf,
} from './imitated.ts';

export type ServiceName = 'mock-idp' | 'reference-mcp-server' | 'management-api' | 'tool-hub' | 'console';
export type ServicePorts = Readonly<Record<ServiceName, number>>;
export type ServiceUrls = Readonly<Record<ServiceName, string>>;

/** Services in the order in which they start: each needs only those before it. */
export const SERVICE_NAMES: readonly ServiceName[] = [
  'mock-idp',
  'reference-mcp-server',
  'management-api',
  'tool-hub',
  'console',
];

const DEFAULT_PORTS: ServicePorts = {
  'management-api': 4000,
  'tool-hub': 4001,
  'mock-idp': 4002,
  'reference-mcp-server': 4003,
  console: 4004,
};

/** The repository's root, three levels above `packages/dev/dist/stack`. */
export const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

/** `TOOL_HUB_PORT=5001` and similar variables change the port of a service, also in the settings of the others. */
export function portsFrom(env: NodeJS.ProcessEnv): ServicePorts {
  const port = (name: ServiceName): number => {
    const variable = `${name.toUpperCase().replaceAll('-', '_')}_PORT`;
    const value = Number(env[variable] || DEFAULT_PORTS[name]);
    if (!Number.isInteger(value) || value < 1 || value > 65_535) throw new Error(`${variable} is not a port`);
    return value;
  };
  const ports: ServicePorts = {
    'management-api': port('management-api'),
    'tool-hub': port('tool-hub'),
    'mock-idp': port('mock-idp'),
    'reference-mcp-server': port('reference-mcp-server'),
    console: port('console'),
  };
  const numbers = Object.values(ports);
  const twice = numbers.find((number, index) => numbers.indexOf(number) !== index);
  if (twice !== undefined) throw new Error(`two services cannot both listen at port ${twice}`);
  return ports;
}

export function urlsOf(ports: ServicePorts): ServiceUrls {
  const url = (name: ServiceName) => `http://localhost:${ports[name]}`;
  return {
    'management-api': url('management-api'),
    'tool-hub': url('tool-hub'),
    'mock-idp': url('mock-idp'),
    'reference-mcp-server': url('reference-mcp-server'),
    console: url('console'),
  };
}

/** The issuer of the identity provider of a stack */
export const stackIssuer = (urls: ServiceUrls, idp: ImitatedName | undefined): string =>
  idp ? imitatedIssuer(idp, urls['mock-idp']) : urls['mock-idp'];

export interface StackOptions {
  readonly ports: ServicePorts;
  /** The identity provider that mock-idp imitates; every service is configured for it. */
  readonly idp?: ImitatedName | undefined;
  /** A PostgreSQL server instead of the embedded one. */
  readonly databaseUrl: string | undefined;
  /** A Redis server instead of memory, for every service; requires `encryptionKeys`. */
  readonly redisUrl: string | undefined;
  /** `id:base64` of 32 bytes; see `@legate/secure-store`. */
  readonly encryptionKeys: string | undefined;
  /** Prefix that separates several stacks on one Redis server. */
  readonly redisKeyPrefix?: string | undefined;
  /** Directory of the embedded database and the logs. */
  readonly dataDir: string;
  readonly logLevel: string;
  /** Further variables of single services. */
  readonly env?: Partial<Record<ServiceName, Record<string, string>>>;
}

const DIRECTORY = 'identity-provider.json';

/** Files that `environmentOf` names and the repository does not have */
const filesIn = (dataDir: string) => ({
  /** Users and clients of mock-idp, with the hub's public key */
  directory: `${dataDir}/${DIRECTORY}`,
  keys: `${dataDir}/idp-client-keys.json`,
});

/** Writes the files that `environmentOf` names and the repository does not have. */
export async function writeFiles({ dataDir, idp }: Pick<StackOptions, 'dataDir' | 'idp'>): Promise<void> {
  if (idp && hasHubKey(kindOf(idp)))
    await writeHubKey({ from: `${ROOT}infra/development/${DIRECTORY}`, ...filesIn(dataDir) });
}

/** The environment of each service in development; production uses the same names with real values. */
export function environmentOf(name: ServiceName, options: StackOptions): Record<string, string> {
  const urls = urlsOf(options.ports);
  const { idp } = options;
  const issuer = stackIssuer(urls, idp);
  const files = filesIn(options.dataDir);
  const hasKey = idp !== undefined && hasHubKey(kindOf(idp));
  const development = (file: string) => `${ROOT}infra/development/${file}`;
  const common: Record<string, string | undefined> = {
    PORT: String(options.ports[name]),
    HOST: '127.0.0.1',
    LOG_LEVEL: options.logLevel,
    OUTBOUND_ALLOW: 'loopback',
    REDIS_URL: options.redisUrl,
    REDIS_KEY_PREFIX: options.redisKeyPrefix,
    // URLs for the placeholders in infra/development/*.json; the hub and management-api also find each other by theirs.
    IDP_URL: urls['mock-idp'],
    MANAGEMENT_API_URL: urls['management-api'],
    TOOL_HUB_URL: urls['tool-hub'],
    REFERENCE_MCP_SERVER_URL: urls['reference-mcp-server'],
    CONSOLE_URL: urls.console,
  };
  // The MCP Inspector's page
  const inspector = 'http://localhost:6274,http://127.0.0.1:6274';
  const own: Record<ServiceName, Record<string, string | undefined>> = {
    'mock-idp': {
      IDP_ISSUER: issuer,
      PERSONALITY: idp,
      CONFIG_FILE: hasKey ? files.directory : development(DIRECTORY),
      IDP_ADMIN_API_KEY: IDP_ADMIN_KEY,
    },
    'reference-mcp-server': {
      RESOURCE: urls['reference-mcp-server'],
      TRUSTED_ISSUERS: issuer,
      CLIENTS_FILE: development('tool-server-clients.json'),
      ALLOWED_ORIGINS: inspector,
      TRANSACTION_TOKEN_CLIENT_SECRET: TRANSACTION_CLIENT.secret,
      IDP_ISSUER: issuer,
      IDP_CLIENT_ID: IDP_CLIENTS.toolServer.id,
      IDP_CLIENT_SECRET: IDP_CLIENTS.toolServer.secret,
    },
    'management-api': {
      RESOURCE: urls['management-api'],
      IDP_ISSUER: issuer,
      SEED_FILE: development('organizations.json'),
      DATABASE_URL: options.databaseUrl ?? pathToFileURL(`${options.dataDir}/postgres`).href,
      PUBLIC_URL: urls['management-api'],
      TRUSTED_PROXIES: 'loopback', // the console
      // Usual addresses of front-end development servers
      ALLOWED_ORIGINS: 'http://localhost:3000,http://localhost:5173',
      // Other providers require another parameter than `resource` for a token of the API.
      API_REFERENCE_CLIENT_ID: idp ? undefined : IDP_CLIENTS.apiReference.id,
      ...(idp ? withoutOnboarding(idp) : onboardingSettings(urls, options)),
      ENCRYPTION_KEYS: options.encryptionKeys,
      // A database server keeps encrypted secrets across restarts; the embedded database stores its key next to them.
      CONNECTOR_ENCRYPTION_KEYS: options.databaseUrl && CONNECTOR_ENCRYPTION_KEYS,
      WORKLOADS: `${IDP_CLIENTS.hub.id}=internal:connectors,internal:audit-events;${IDP_CLIENTS.toolServer.id}=internal:transactions`,
      TRANSACTION_TOKEN_ISSUER: urls['tool-hub'],
    },
    'tool-hub': {
      PUBLIC_URL: urls['tool-hub'],
      CLIENT_REGISTRATION: 'registered,documents,dynamic',
      IDP_ACTOR_TOKENS: 'true',
      CLIENTS_FILE: development('mcp-clients.json'),
      IDP_ISSUER: issuer,
      IDP_CLIENT_ID: IDP_CLIENTS.hub.id,
      ...(hasKey ? { IDP_CLIENT_KEYS_FILE: files.keys } : { IDP_CLIENT_SECRET: IDP_CLIENTS.hub.secret }),
      ACCEPTED_AUDIENCES: `${IDP_CLIENTS.frontend.id},${IDP_CLIENTS.hub.id},${IDP_CLIENTS.console.id}`,
      RETURN_TO: `${urls.console}/me/accounts`,
      TRUSTED_PROXIES: 'loopback', // the console
      WORKLOADS: `${IDP_CLIENTS.managementApi.id}=internal:revocations`,
      ALLOWED_ORIGINS: inspector,
      TRANSACTION_TOKENS_FILE: development('transaction-tokens.json'),
      ENCRYPTION_KEYS: options.encryptionKeys,
      ...(idp && kindSettings(idp)),
    },
    console: { ...consoleSettings(urls, issuer, idp), ENCRYPTION_KEYS: options.encryptionKeys },
  };
  const set = Object.entries({ ...common, ...own[name], ...options.env?.[name] }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return Object.fromEntries(set);
}

/**
 * No other provider has the admin API that onboarding needs: there, the client is used only for requests to the hub.
 */
const withoutOnboarding = (idp: ImitatedName) => ({
  IDP_CLIENT_ID: IDP_CLIENTS.managementApi.id,
  IDP_CLIENT_SECRET: IDP_CLIENTS.managementApi.secret,
  ...kindSettings(idp),
});

const onboardingSettings = (urls: ServiceUrls, { redisUrl }: StackOptions) => ({
  IDP_CLIENT_ID: IDP_CLIENTS.managementApi.id,
  IDP_CLIENT_SECRET: IDP_CLIENTS.managementApi.secret,
  // Our own pages, and the page of an application with its client: its URL gets the session UUID. Nothing needs to
  // listen there: the UUID is read from the URL.
  RETURN_TO: `${urls['management-api']}/onboarding,${urls.console}/welcome,http://localhost:5173/welcome|frontend-app`,
  IDP_ADMIN_URL: `${urls['mock-idp']}/admin`,
  IDP_ADMIN_API_KEY: IDP_ADMIN_KEY,
  // Without Redis the identity provider loses all memberships at each restart.
  RELINK_MEMBERS: redisUrl === undefined ? 'true' : undefined,
});

/** The settings of a kind */
function kindSettings(idp: ImitatedName): Record<string, string> {
  const rule = imitatedOrganizationRule(idp);
  return { IDP_KIND: kindNameOf(idp), ...(rule && { ORGANIZATION_RULE: JSON.stringify(rule) }) };
}

const consoleSettings = (urls: ServiceUrls, issuer: string, idp: ImitatedName | undefined) => ({
  PUBLIC_URL: urls.console,
  IDP_ISSUER: issuer,
  IDP_CLIENT_ID: IDP_CLIENTS.console.id,
  IDP_CLIENT_SECRET: IDP_CLIENTS.console.secret,
  CONFIG_FILE: `${ROOT}infra/development/console.json`,
  ...(idp && kindSettings(idp)),
});
