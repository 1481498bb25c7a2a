import { randomUUID } from 'node:crypto';
import { developmentEncryptionKeys, scene } from '@legate/dev';
import { type HoldingProxy, startHoldingProxy } from './holding-proxy.ts';
import { createMovedClock } from './moved-clock.ts';
import { freeServicePorts, type StackUnderTest, startStackUnderTest } from './stack-under-test.ts';

export interface OnboardingStack {
  readonly urls: StackUnderTest['urls'];
  /** The proxy between management-api and the identity provider's admin API */
  readonly admin: HoldingProxy;
  /** Creates a user at newco.example at the identity provider, with the password of the scene and no organization. */
  createUser(name: string): Promise<{ id: string; email: string }>;
  /** Returns the names of the organizations at the identity provider. */
  organizationNames(): Promise<string[]>;
  /** Moves the clock of management-api. */
  advanceSeconds(seconds: number): Promise<void>;
  /** Kills management-api, as a crash would. */
  killApi(): Promise<void>;
  /** Starts it again, with its clock moved ahead by this time. */
  restartApi(secondsLater: number): Promise<void>;
  stop(): Promise<void>;
}

export async function startOnboardingStack(): Promise<OnboardingStack> {
  const clock = await createMovedClock();
  const ports = await freeServicePorts();
  const admin = await startHoldingProxy({ host: '127.0.0.1', port: ports['mock-idp'] });
  const stack = await startStackUnderTest({
    ports,
    services: ['mock-idp', 'management-api'],
    env: {
      'management-api': {
        ...clock.env,
        IDP_ADMIN_URL: `http://localhost:${admin.port}/admin`,
        // Cookies outlive the process.
        ENCRYPTION_KEYS: developmentEncryptionKeys(),
      },
    },
  }).catch(async (err: unknown) => {
    await admin.close();
    throw err;
  });
  const callAdmin = async (path: string, body?: object): Promise<unknown> => {
    const answer = await fetch(`${stack.urls['mock-idp']}/admin${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { Authorization: `Bearer ${scene.IDP_ADMIN_KEY}`, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };

  return {
    urls: stack.urls,
    admin,
    async createUser(name) {
      const email = `${name.toLowerCase()}-${randomUUID()}@newco.example`;
      const created = await callAdmin('/users', { email, name, password: scene.PASSWORD });
      return { id: (created as { id: string }).id, email };
    },
    async organizationNames() {
      const { data } = (await callAdmin('/organizations')) as { data: { name: string }[] };
      return data.map(({ name }) => name);
    },
    advanceSeconds: (seconds) => clock.advance(seconds, stack, 'management-api'),
    killApi: () => stack.kill('management-api'),
    async restartApi(secondsLater) {
      await clock.advanceUnseen(secondsLater);
      await stack.restart('management-api');
    },
    async stop() {
      await stack.stop();
      await admin.close();
      await clock.remove();
    },
  };
}
