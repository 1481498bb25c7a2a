import { Agent, createServer, get, type IncomingMessage, request, type ServerResponse } from 'node:http';

/** How often it checks each instance's readiness, as load balancers do. */
const CHECK_MS = 50;

export interface Balancer {
  /** Adds an instance, which gets requests while it is ready; resolves when it first is. */
  add(port: number): Promise<void>;
  /** Requests of an instance that have been answered so far */
  answersOf(port: number): number;
  close(): Promise<void>;
}

interface Instance {
  readonly port: number;
  readonly agent: Agent;
  readonly checks: NodeJS.Timeout;
  isReady: boolean;
  answers: number;
}

/**
 * A minimal load balancer: it sends each request to the next instance that is ready, on kept-alive connections. It
 * never retries: a request that an instance loses gets 502.
 */
export async function startBalancer(port: number): Promise<Balancer> {
  const instances: Instance[] = [];
  let turn = 0;

  const server = createServer((inbound, answer) => {
    const ready = instances.filter(({ isReady }) => isReady);
    turn += 1;
    const instance = ready[turn % ready.length];
    if (!instance) answer.writeHead(503).end('no instance is ready');
    else pass(instance, inbound, answer);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));

  return {
    async add(instancePort) {
      await new Promise<void>((resolve) => {
        const instance: Instance = {
          port: instancePort,
          agent: new Agent({ keepAlive: true }),
          checks: setInterval(() => check(instance, resolve), CHECK_MS),
          isReady: false,
          answers: 0,
        };
        instances.push(instance);
      });
    },
    answersOf: (instancePort) => instances.find((instance) => instance.port === instancePort)?.answers ?? 0,
    close: () =>
      new Promise((resolve) => {
        for (const { checks, agent } of instances) {
          clearInterval(checks);
          agent.destroy();
        }
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function check(instance: Instance, onReady: () => void): void {
  const { port } = instance;
  get({ host: '127.0.0.1', port, path: '/readyz', agent: false, timeout: 2000 }, (answer) => {
    answer.resume();
    instance.isReady = answer.statusCode === 200;
    if (instance.isReady) onReady();
  }).on('error', () => {
    instance.isReady = false;
  });
}

function pass(instance: Instance, inbound: IncomingMessage, answer: ServerResponse): void {
  const { method, url: path, headers } = inbound;
  const { connection: _, ...endToEnd } = headers; // applies only to this connection (RFC 9110 §7.6.1)
  const outbound = request(
    { host: '127.0.0.1', port: instance.port, method, path, headers: endToEnd, agent: instance.agent },
    (received) => {
      const { connection: _ofHop, 'keep-alive': _keepAlive, ...passedOn } = received.headers;
      answer.writeHead(received.statusCode ?? 502, passedOn);
      received.pipe(answer);
      received.on('end', () => {
        instance.answers += 1;
      });
    },
  );
  outbound.on('error', (err) => {
    if (answer.headersSent) answer.destroy();
    else answer.writeHead(502).end(`lost by ${instance.port}: ${err.message}`);
  });
  inbound.pipe(outbound);
}
