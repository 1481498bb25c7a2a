import { createLegs, exchange, type Legs, type ServiceUrls, scene, signIn } from '@legate/dev';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { startStackUnderTest } from '../stack-under-test.ts';

export type User = keyof typeof scene.USERS;

/**
 * A deployment of the five services, used only over HTTP. A user of the development scene is signed in when a check
 * needs it.
 */
export interface Deployment {
  readonly urls: ServiceUrls;
  readonly legs: Legs;
  /**
   * Returns the ID token of the frontend application. @throws every time with the error of the user's first sign-in, if
   * that failed
   */
  idToken(user: User): Promise<string>;
  /** Signs the user in again: `idToken` then returns the new token. */
  signInAgain(user: User): Promise<void>;
  /** Headers for management-api. Not for Erin, who has no organization. @throws as `idToken` does */
  atApi(user: User): Promise<{ Authorization: string }>;
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

/** The deployment at LEGATE_E2E_URLS, or, if that is not set, a stack that the test starts. */
export async function openDeployment(env: NodeJS.ProcessEnv): Promise<Deployment> {
  const given = env.LEGATE_E2E_URLS ? Urls.parse(JSON.parse(env.LEGATE_E2E_URLS)) : undefined;
  const stack = given ? undefined : await startStackUnderTest();
  const urls = given ?? stack?.urls;
  if (!urls) throw new Error('there is no deployment');
  const seen = deploymentAt(urls);
  return { ...seen, close: () => seen.close().finally(() => stack?.stop()) };
}

function deploymentAt(urls: ServiceUrls): Deployment {
  const issuer = urls['mock-idp'];
  const resource = urls['management-api'];
  // A sign-in that failed is not repeated: while the identity provider hangs, each would take its whole time-out.
  const idTokens = new Map<User, Promise<string>>();
  const accessTokens = new Map<User, Promise<string>>();
  const idToken = (user: User): Promise<string> =>
    kept(idTokens, user, async (email) => (await signIn({ issuer, email })).idToken);
  const clients: Client[] = [];
  return {
    urls,
    legs: createLegs(urls),
    idToken,
    async signInAgain(user) {
      idTokens.delete(user);
      await idToken(user);
    },
    async atApi(user) {
      const signInForApi = async (email: string) => (await signIn({ issuer, email, resource })).accessToken;
      return { Authorization: `Bearer ${await kept(accessTokens, user, signInForApi)}` };
    },
    async agentOf(user, era = 'modern') {
      const mode = era === 'modern' ? ('auto' as const) : ('legacy' as const);
      const client = new Client({ name: 'e2e', version: '1' }, { versionNegotiation: { mode } });
      clients.push(client);
      const token = await idToken(user);
      const authProvider = { token: async () => token };
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

/** Returns the token of a user's first sign-in. */
function kept(
  tokens: Map<User, Promise<string>>,
  user: User,
  get: (email: string) => Promise<string>,
): Promise<string> {
  const token = tokens.get(user) ?? get(scene.USERS[user].email);
  tokens.set(user, token);
  return token;
}

/** A request to management-api as a user. */
export const callApi = async (
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
    await deployment.atApi(user),
  );
