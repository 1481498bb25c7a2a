import { createSigningKeys } from '@legate/jwt';
import { createRateLimiter } from '@legate/rate-limit';
import { createMemoryBackend, type EncryptionKeys, generateEncryptionKeys } from '@legate/secure-store';
import type { Express } from 'express';
import request, { type Response } from 'supertest';
import { createFakeIdp } from './fake-idp.ts';
import { createTestApi, ISSUER, NOW, RESOURCE, type TestApi } from './test-api.ts';

export type FakeIdp = ReturnType<typeof createFakeIdp>;

export interface OnboardingScene {
  readonly api: TestApi;
  readonly keys: EncryptionKeys;
  /** State of the current test */
  idp: FakeIdp;
  newIdp(): void;
}

/** Settings of a service at this URL; each test has its own `returnTo` and keys. */
export const onboardingSettings = (publicUrl = RESOURCE) => ({
  clientId: 'management-api',
  credentials: { method: 'client_secret_post' as const, clientSecret: 'the-secret-of-the-client' },
  adminUrl: `${ISSUER}/admin`,
  adminApiKey: 'the-key-of-the-admin-api',
  publicUrl,
  pagesUrl: `${publicUrl}/onboarding`,
  identityProvider: { IDP_KIND: 'generic' as const },
  relinkMembers: false,
  trustIdpEmail: false,
  multipleOrganizations: false,
});

/** Created once, because an RSA key takes a while. */
const signingJwks = createSigningKeys({ alg: 'RS256', clock: () => new Date() }).then((keys) =>
  keys.privateJwks(),
);

/** Creates the application with onboarding, an identity provider without a network, and no limit by default. */
export async function createOnboardingScene(
  options: {
    returnTo?: readonly [string, ...string[]];
    /** Client by page of an application */
    clients?: Readonly<Record<string, string>>;
    publicUrl?: string;
    relinkMembers?: boolean;
    limited?: boolean;
    beside?: TestApi;
    trustIdpEmail?: boolean;
    multipleOrganizations?: boolean;
    /** Options of the application */
    app?: Omit<NonNullable<Parameters<typeof createTestApi>[0]>, 'onboarding' | 'beside'>;
  } = {},
): Promise<OnboardingScene> {
  // openid-client uses the system clock
  const signingKeys = await createSigningKeys({
    alg: 'RS256',
    clock: () => new Date(),
    jwks: await signingJwks,
  });
  const keys = generateEncryptionKeys();
  const clock = () => new Date(NOW * 1000);
  const limiter = createRateLimiter({ clock, windowSeconds: 600 });
  const publicUrl = options.publicUrl ?? RESOURCE;
  const scene = { idp: createFakeIdp(signingKeys) };
  const api = await createTestApi({
    ...options.app,
    ...(options.beside && { beside: options.beside }),
    onboarding: {
      settings: {
        ...onboardingSettings(publicUrl),
        returnTo: options.returnTo ?? [`${publicUrl}/onboarding`],
        clients: new Map(Object.entries(options.clients ?? {})),
        relinkMembers: options.relinkMembers ?? false,
        trustIdpEmail: options.trustIdpEmail ?? false,
        multipleOrganizations: options.multipleOrganizations ?? false,
        encryptionKeys: keys,
        ...(!options.limited && { strangersPerMinute: 1_000_000 }),
      },
      fetch: (input, init) => scene.idp.fetch(input, init),
      backend: createMemoryBackend({ clock }),
      attempts: options.limited
        ? limiter
        : {
            ...limiter,
            consume: async (key, limit) => ({ ...(await limiter.consume(key, limit)), exceeded: false }),
          },
    },
  });
  return Object.assign(scene, {
    api,
    keys,
    newIdp() {
      scene.idp = createFakeIdp(signingKeys);
    },
  });
}

/** A browser that supports only cookies, redirects and forms. */
export class Browser {
  readonly cookies = new Map<string, string>();
  constructor(private readonly app: Express) {}

  async get(url: string, headers: Record<string, string> = {}): Promise<Response> {
    return this.keep(await request(this.app).get(pathOf(url)).set(this.headers(headers)));
  }

  /** Sends a request without following the redirect. */
  async post(path: string, fields: object | string, headers: Record<string, string> = {}): Promise<Response> {
    const call = request(this.app).post(path).type('form').set(this.headers(headers));
    return this.keep(await call.send(fields));
  }

  /** Submits the form of a page, changed by `fields`, and follows the redirect. */
  async submit(page: Response, fields: Record<string, string>): Promise<Response> {
    const answer = await this.send(page, fields);
    return answer.status === 303 ? this.get(String(answer.headers.location)) : answer;
  }

  /** Clicks a button whose form has another target (`formaction`). */
  async pressed(page: Response, action: string): Promise<Response> {
    const hidden = [...page.text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)];
    const fields = Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, value]));
    const answer = await this.post(action, fields);
    return answer.status === 303 ? this.get(String(answer.headers.location)) : answer;
  }

  send(page: Response, fields: Record<string, string>, headers?: Record<string, string>): Promise<Response> {
    const action = /<form method="post" action="([^"]+)"/.exec(page.text)?.[1];
    if (!action) throw new Error(`no form in ${page.status} ${page.text}`);
    const hidden = [...page.text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)];
    const values = Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, value]));
    return this.post(action, { ...values, ...fields }, headers);
  }

  /** Follows the sign-in up to the page after the identity provider. */
  async signIn(idp: FakeIdp, claims: object, start = '/onboarding/sign-in'): Promise<Response> {
    const begun = await this.get(start);
    const search = idp.authorize(String(begun.headers.location), { email_verified: true, ...claims });
    const back = await this.get(`/api/oauth/callback${search}`);
    return back.status === 303 ? this.get(String(back.headers.location)) : back;
  }

  private headers(more: Record<string, string>): Record<string, string> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    return { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8', Cookie: cookie, ...more };
  }

  private keep(answer: Response): Response {
    for (const line of [answer.headers['set-cookie'] ?? []].flat()) {
      const [pair = ''] = String(line).split(';');
      const [name = '', value = ''] = pair.split(/=(.*)/s);
      if (value === '') this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return answer;
  }
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url, RESOURCE);
  return pathname + search;
}
