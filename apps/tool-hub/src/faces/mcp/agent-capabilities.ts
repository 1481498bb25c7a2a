import { type AgentSide, isDeeperThan, isObject, parseObject } from '@legate/mcp-client';

type Capabilities = Readonly<Record<string, unknown>>;

const MAX_DEPTH = 16;

/**
 * Returns what an agent would have had to declare to be asked this, as `requiredCapabilities`; undefined where it has
 * declared all of it.
 * @param question a result of the type `input_required`
 */
export function undeclared(question: Capabilities, { capabilities }: AgentSide): Capabilities | undefined {
  const { inputRequests } = question;
  const requests = isObject(inputRequests) ? Object.values(inputRequests) : [];
  const missing: Record<string, unknown> = {};
  for (const request of requests) {
    const { method, params } = isObject(request) ? request : {};
    if (method === 'sampling/createMessage' && !capabilities.sampling) missing.sampling = {};
    if (method === 'roots/list' && !capabilities.roots) missing.roots = {};
    if (method !== 'elicitation/create') continue;
    const mode = isObject(params) && params.mode === 'url' ? 'url' : 'form';
    if (!elicits(capabilities.elicitation, mode))
      missing.elicitation = { ...(isObject(missing.elicitation) && missing.elicitation), [mode]: {} };
  }
  return Object.keys(missing).length > 0 ? missing : undefined;
}

/** An empty object means forms only (MCP, Elicitation, "Capabilities"). */
const elicits = (elicitation: unknown, mode: 'form' | 'url'): boolean =>
  isObject(elicitation) &&
  (mode in elicitation || (mode === 'form' && Object.keys(elicitation).length === 0));

/** Reads what a tool server says that an agent lacks. @param data of its error, as text */
export function requiredCapabilities(data: string | undefined): Capabilities {
  const required = parseObject(data ?? '')?.requiredCapabilities;
  return isObject(required) && !isDeeperThan(required, MAX_DEPTH) ? required : {};
}
