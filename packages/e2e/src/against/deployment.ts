import { createLegs, exchange, type Legs, type ServiceUrls, scene, signIn } from '@legate/dev';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { startStackUnderTest } from '../stack-under-test.ts';

export type User = keyof typeof scene.USERS;
const USERS = ['alice', 'bob', 'carol', 'erin'] as const satisfies readonly User[];

/** Five services somewhere, seen through HTTP alone, with the users of the development scene signed in. */
export interface Deployment {
  readonly urls: ServiceUrls;
  readonly legs: Legs;
  /** As the frontend application has it */
  idToken(user: User): string;
  /** `idToken` is then one of a later sign-in. */
  signInAgain(user: User): Promise<void>;
  /** Headers for management-api; Erin has none. */
  atApi(user: User): { Authorization: string };
  /** The official MCP client at the hub's `/mcp`, as the agent of a user. */
  agentOf(user: User, era?: 'modern' | 'legacy'): Promise<Client>;
  close(): Promise<void>;
}

const Urls = z.object({
  'management-api': z.url(),
  'tool-hub': z.url(),
  'mock-idp': z.url(),
  'reference-mcp-server': z.url(),
  console: z.url(),
});

/** The deployment of LEGATE_E2E_URLS, or without it a stack of the test's own. */
export async function openDeployment(env: NodeJS.ProcessEnv): Promise<Deployment> {
  const given = env.LEGATE_E2E_URLS ? Urls.parse(JSON.parse(env.LEGATE_E2E_URLS)) : undefined;
  const stack = given ? undefined : await startStackUnderTest();
  const urls = given ?? stack?.urls;
  if (!urls) throw new Error('there is no deployment');
  try {
    const seen = await signedIn(urls);
    return { ...seen, close: () => seen.close().finally(() => stack?.stop()) };
  } catch (err) {
    await stack?.stop();
    throw err;
  }
}

async function signedIn(urls: ServiceUrls): Promise<Deployment> {
  const issuer = urls['mock-idp'];
  const resource = urls['management-api'];
  const idTokens = new Map<User, string>();
  const accessTokens = new Map<User, string>();
  for (const user of USERS) {
    const { email, organization } = scene.USERS[user];
    idTokens.set(user, (await signIn({ issuer, email })).idToken);
    if (organization) accessTokens.set(user, (await signIn({ issuer, email, resource })).accessToken);
  }
  const idToken = (user: User) => idTokens.get(user) ?? '';
  const clients: Client[] = [];
  return {
    urls,
    legs: createLegs(urls),
    idToken,
    signInAgain: async (user) => {
      idTokens.set(user, (await signIn({ issuer, email: scene.USERS[user].email })).idToken);
    },
    atApi: (user) => ({ Authorization: `Bearer ${accessTokens.get(user) ?? ''}` }),
    async agentOf(user, era = 'modern') {
      const mode = era === 'modern' ? ('auto' as const) : ('legacy' as const);
      const client = new Client({ name: 'e2e', version: '1' }, { versionNegotiation: { mode } });
      clients.push(client);
      const authProvider = { token: async () => idToken(user) };
      await client.connect(
        new StreamableHTTPClientTransport(new URL(`${urls['tool-hub']}/mcp`), { authProvider }),
      );
      return client;
    },
    async close() {
      await Promise.all(clients.map((client) => client.close()));
    },
  };
}

/** A request to management-api as a user. */
export const callApi = (
  deployment: Deployment,
  user: User,
  method: string,
  path: string,
  json?: Record<string, unknown>,
) =>
  exchange(
    method,
    `${deployment.urls['management-api']}/api/v1${path}`,
    json ? { json } : {},
    deployment.atApi(user),
  );
