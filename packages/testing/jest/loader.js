import { fileURLToPath } from 'node:url';
import { compile } from './compile.js';

const GLOBALS = new URL('./globals.js', import.meta.url).href;

/** @type {import('node:module').ResolveHook} */
export function resolve(specifier, context, nextResolve) {
  if (specifier === '@jest/globals') return { url: GLOBALS, format: 'module', shortCircuit: true };
  // Workspaces resolve to their TypeScript sources, so a test needs no build.
  return nextResolve(specifier, { ...context, conditions: ['@legate/source', ...context.conditions] });
}

/** @type {import('node:module').LoadHook} */
export function load(url, context, nextLoad) {
  const { protocol, pathname } = new URL(url);
  if (protocol !== 'file:' || !pathname.endsWith('.ts')) return nextLoad(url, context);
  return { format: 'module', source: compile(fileURLToPath(url)).code, shortCircuit: true };
}
