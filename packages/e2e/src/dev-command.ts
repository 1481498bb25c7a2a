import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { machineEnvironment, ROOT, type ServicePorts } from '@legate/dev';

/** Starts what `npm start` or `npm run demo` runs after the build. */
export function startDevCommand(
  command: 'start' | 'demo',
  ports: ServicePorts,
  env: NodeJS.ProcessEnv = {},
): ChildProcessWithoutNullStreams {
  const main = `await (await import('${ROOT}packages/dev/dist/main.js')).main('${command}')`;
  return spawn(process.execPath, ['--input-type=module', '-e', main], {
    cwd: ROOT,
    env: {
      ...machineEnvironment(),
      MANAGEMENT_API_PORT: String(ports['management-api']),
      TOOL_HUB_PORT: String(ports['tool-hub']),
      MOCK_IDP_PORT: String(ports['mock-idp']),
      REFERENCE_MCP_SERVER_PORT: String(ports['reference-mcp-server']),
      CONSOLE_PORT: String(ports.console),
      ...env,
    },
  });
}
