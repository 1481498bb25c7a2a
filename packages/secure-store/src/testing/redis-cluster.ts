import { eventually } from '@legate/testing';
import type { RedisServers } from '../redis-settings.ts';
import { type RedisProcess, startRedisProcess } from './redis-process.ts';

export interface RedisClusterProcesses {
  /** Three masters, each with a third of the slots; then the replicas, of the first, the second, … */
  readonly nodes: readonly RedisProcess[];
  /** URLs of all nodes, separated by commas */
  readonly url: string;
  readonly settings: RedisServers;
  /** The master whose slot the key is in. */
  masterOf(key: string): Promise<RedisProcess>;
  /** Waits until every running node knows a complete cluster. */
  untilWhole(): Promise<void>;
  remove(): Promise<void>;
}

const MASTERS = 3;
const SLOTS = 16_384;

/** @param options.nodeTimeoutMs after which a node that does not answer counts as failed. Default 1000 */
export async function startRedisCluster(
  program: string,
  options: {
    replicas?: number;
    nodeTimeoutMs?: number;
    fullCoverage?: boolean;
    args?: readonly string[];
  } = {},
): Promise<RedisClusterProcesses> {
  const args = [
    ...['--cluster-enabled', 'yes', '--save', '', '--appendonly', 'yes', '--appendfsync', 'always'],
    ...['--cluster-node-timeout', String(options.nodeTimeoutMs ?? 1000)],
    ...['--cluster-replica-validity-factor', '0', '--repl-diskless-sync-delay', '0'],
    ...['--cluster-require-full-coverage', options.fullCoverage === false ? 'no' : 'yes'],
    ...(options.args ?? []),
  ];
  const count = MASTERS + (options.replicas ?? 0);
  const nodes: RedisProcess[] = [];
  const remove = async () => {
    await Promise.all(nodes.map((node) => node.remove()));
  };
  const running = async (): Promise<RedisProcess[]> => {
    const answers = await Promise.all(nodes.map((node) => node.ask('PING').catch(() => undefined)));
    return nodes.filter((_node, index) => answers[index] === 'PONG');
  };
  const isWhole = async (node: RedisProcess): Promise<boolean> => {
    const info = String(await node.ask('CLUSTER', 'INFO'));
    return /cluster_state:ok/.test(info) && info.includes(`cluster_known_nodes:${count}\r`);
  };

  try {
    // One after the other: two at once might choose the same port.
    for (let number = 0; number < count; number += 1) nodes.push(await startRedisProcess(program, args));
    const masters = nodes.slice(0, MASTERS);
    await Promise.all(
      masters.map(async (node, index) => {
        const [first, next] = [index, index + 1].map((part) => Math.floor((part * SLOTS) / MASTERS));
        await node.ask('CLUSTER', 'ADDSLOTSRANGE', first ?? 0, (next ?? 0) - 1);
        await node.ask('CLUSTER', 'SET-CONFIG-EPOCH', index + 1);
      }),
    );
    for (const node of nodes.slice(1)) await nodes[0]?.ask('CLUSTER', 'MEET', '127.0.0.1', node.port);
    const allWhole = async () => (await Promise.all(nodes.map(isWhole))).every(Boolean);
    await eventually('a cluster of all nodes', allWhole);
    await Promise.all(
      nodes.slice(MASTERS).map(async (replica, index) => {
        const id = String(await masters[index]?.ask('CLUSTER', 'MYID'));
        await replica.ask('CLUSTER', 'REPLICATE', id);
        await eventually('a replica that follows', async () =>
          String(await replica.ask('INFO', 'replication')).includes('master_link_status:up'),
        );
      }),
    );
  } catch (err) {
    await remove();
    throw err;
  }

  const urls = nodes.map(({ url }) => url);
  return {
    nodes,
    url: urls.join(','),
    settings: { mode: 'cluster', urls },
    async masterOf(key) {
      const { slot, ranges } = await Promise.any(
        nodes.map(async (node) => ({
          slot: Number(await node.ask('CLUSTER', 'KEYSLOT', key)),
          ranges: (await node.ask('CLUSTER', 'SLOTS')) as [number, number, [string, number]][],
        })),
      );
      const range = ranges.find(([first, last]) => first <= slot && slot <= last);
      const node = nodes.find(({ port }) => port === range?.[2][1]);
      if (!node) throw new Error(`no node has slot ${slot}`);
      return node;
    },
    async untilWhole() {
      await eventually('a whole cluster', async () => {
        const whole = await Promise.all((await running()).map((node) => isWhole(node)));
        return whole.length > 0 && whole.every(Boolean);
      });
    },
    remove,
  };
}
