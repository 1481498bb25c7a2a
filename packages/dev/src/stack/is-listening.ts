import { connect } from 'node:net';

/**
 * The loopback addresses of IPv4 and IPv6: `localhost` may resolve to either, and a server may listen on only one of
 * them.
 */
const LOOPBACK = ['127.0.0.1', '::1'] as const;

/** Returns true if a process accepts connections at a port of this machine. */
export async function isListening(port: number): Promise<boolean> {
  const answers = await Promise.all(LOOPBACK.map((host) => takesConnections(host, port)));
  return answers.includes(true);
}

function takesConnections(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
