export { type RedisClusterProcesses, startRedisCluster } from './redis-cluster.ts';
export { openRedis, type RedisProcess, startRedisProcess } from './redis-process.ts';
export { FAILOVER_MS, type RedisSentinelProcesses, startRedisSentinels } from './redis-sentinels.ts';
