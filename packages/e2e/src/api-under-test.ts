import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ServiceProcess, startService } from '@legate/dev';
import { findFreePort } from '@legate/service/testing';
import { START_UP_MS } from '@legate/testing';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

export interface ApiUnderTest {
  readonly url: string;
  readonly service: ServiceProcess;
  /** An owner's access token. */
  token(organizationId: string): Promise<string>;
  readLog(): Promise<string>;
  /** Returns a counter of the service's metrics, summed over all labels. */
  readCounter(name: string): Promise<number>;
  stop(): Promise<void>;
}

/** A management-api process on the stores of the test, with an identity provider in the test's process. */
export async function startApiUnderTest(options: {
  databaseUrl: string;
  redisUrl: string;
  /** Organizations that get a limit that no test reaches. */
  organizations: readonly string[];
  env?: Record<string, string>;
}): Promise<ApiUnderTest> {
  const directory = await mkdtemp(join(tmpdir(), 'legate-api-'));
  const seedFile = join(directory, 'organizations.json');
  const organizations = options.organizations.map((id) => ({
    id,
    name: id,
    plan: 'custom',
    requests_per_minute: 100_000,
  }));
  await writeFile(seedFile, JSON.stringify({ organizations }));
  const idp = await startIssuer();
  const [port, metricsPort] = [await findFreePort(), await findFreePort()];
  const url = `http://localhost:${port}`;
  const logFile = join(directory, 'service.log');
  const service = startService(
    'management-api',
    {
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
      RESOURCE: url,
      IDP_ISSUER: idp.issuer,
      OUTBOUND_ALLOW: 'loopback',
      DATABASE_URL: options.databaseUrl,
      REDIS_URL: options.redisUrl,
      SEED_FILE: seedFile,
      ...options.env,
    },
    logFile,
  );
  const stop = async () => {
    await service.stop();
    idp.close();
    await rm(directory, { recursive: true, force: true });
  };
  try {
    await service.waitUntilReady(url, START_UP_MS);
  } catch (err) {
    await stop();
    throw err;
  }

  return {
    url,
    service,
    token: (organizationId) =>
      idp.sign({ sub: 'user_alice', aud: url, organization_id: organizationId, roles: ['owner'] }),
    readLog: () => readFile(logFile, 'utf8'),
    async readCounter(name) {
      const metrics = await (await fetch(`http://localhost:${metricsPort}/metrics`)).text();
      const lines = metrics.split('\n').filter((line) => new RegExp(`^${name}[ {]`).test(line));
      return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
    },
    stop,
  };
}

/** An identity provider in this process that only issues access tokens. */
export async function startIssuer() {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const keys = [{ ...(await exportJWK(publicKey)), kid: 'k', alg: 'ES256' }];
  const port = await findFreePort();
  const issuer = `http://localhost:${port}`;
  const documents: Record<string, unknown> = {
    '/.well-known/openid-configuration': { issuer, jwks_uri: `${issuer}/jwks` },
    '/jwks': { keys },
  };
  const server = createServer((req, res) => {
    const document = documents[req.url ?? ''];
    res.writeHead(document ? 200 : 404, { 'Content-Type': 'application/json' });
    res.end(JSON.stringify(document ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    issuer,
    sign: (claims: Record<string, unknown>) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'ES256', kid: 'k', typ: 'at+jwt' })
        .setIssuer(issuer)
        .setIssuedAt()
        .setExpirationTime('1h')
        .sign(privateKey),
    close: () => server.close(),
  };
}
