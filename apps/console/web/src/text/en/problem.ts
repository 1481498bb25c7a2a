import { count } from '../../intl/format.ts';

/** Roles that have a scope, the strongest first, for explanations only: the services decide. */
const VIEWER = /^(org|members|domains|sites|agents|connectors|audit|usage):read$/;
const DEVELOPER = /^(sites|agents):write$/;

function having(scope: string): readonly string[] {
  if (VIEWER.test(scope)) return ['members of every role'];
  if (DEVELOPER.test(scope)) return ['owners', 'administrators', 'developers'];
  return scope === 'org:write' ? ['owners'] : ['owners', 'administrators'];
}

export const roles = {
  owner: 'owner',
  admin: 'administrator',
  developer: 'developer',
  viewer: 'viewer',
  none: 'no role',
  having,
};

type RoleName = 'owner' | 'admin' | 'developer' | 'viewer';

const yourRole = (role: RoleName | null | undefined | string): string => {
  const name = role === null || role === undefined ? undefined : roles[role as RoleName];
  return name === undefined ? 'Your role cannot do this.' : `Your role, ${name}, cannot do this.`;
};

/** @param value of a field; `null` stands for all of a list */
const textOf = (value: unknown): string =>
  value === null ? 'all' : Array.isArray(value) ? value.join(', ') || 'nothing' : String(value) || 'nothing';

export const problem = {
  unexpected: 'The response could not be read',
  unreachable: 'The console’s server does not answer',
  tryAgain: 'Try again',
  tryAgainIn: (seconds: number) => `Try again in ${seconds} s`,
  changedMeanwhile: 'Changed in the meantime',
  changedMeanwhileText:
    'Somebody else has changed this since you opened it. Your changes were not saved. Load it again, and repeat them if you still want to.',
  loadAgain: 'Load it again',
  youEntered: (value: unknown) => `Somebody else has saved another value. You had entered: ${textOf(value)}`,
  waitFor: (seconds: number) => `The service asks you to wait for ${count(seconds, 'second', 'seconds')}.`,
  forbidden: yourRole,
  takes: 'It needs ',
  had: (who: string) => `, which ${who} have.`,
  forbiddenReason: (role: string | null, scope: string, who: string) =>
    `${yourRole(role)} It needs ${scope}, which ${who} have.`,
  crashed: 'This page stopped working',
  crashedDetail:
    'The fault is in the console, not in your data. Reload the page. If it happens again, report it with the text below.',
  reload: 'Reload',
  notFound: 'Not found',
  notFoundDetail: 'There is no page at this address, or what it shows was deleted.',
  toHome: 'Go to Home',
};
