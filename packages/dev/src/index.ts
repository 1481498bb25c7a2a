export { registerToolServer } from './commands/register.ts';
export { type Attack, type AttackTokens, listAttacks, mintIdToken } from './demo/attacks.ts';
export { type Exchange, exchange, member, text } from './demo/http.ts';
export { createLegs, type Legs } from './demo/legs.ts';
export { isExpected } from './demo/narrate.ts';
export * as hostile from './hostile/index.ts';
export { createBrowser, SignInFailed } from './scene/browser.ts';
export * as scene from './scene/scene.ts';
export { signIn } from './scene/sign-in.ts';
export { loadSettings } from './settings/load-settings.ts';
export { renderSettings } from './settings/render-settings.ts';
export { IMITATED, type ImitatedName } from './stack/imitated.ts';
export { isListening } from './stack/is-listening.ts';
export { machineEnvironment, type ServiceProcess, startService } from './stack/service-process.ts';
export {
  environmentOf,
  portsFrom,
  ROOT,
  SERVICE_NAMES,
  type ServiceName,
  type ServicePorts,
  type ServiceUrls,
  type StackOptions,
  stackIssuer,
  urlsOf,
} from './stack/services.ts';
export { developmentEncryptionKeys, PortInUse, type Stack, startStack } from './stack/start-stack.ts';
