// Every string that people read. A second language is a second file of the same form; a page has its own part in `en/`.

import { agents, sites } from './en/agents.ts';
import { audit } from './en/audit.ts';
import { calls } from './en/calls.ts';
import { chart, common, json, keyboard, table, untrusted } from './en/common.ts';
import { connectors } from './en/connectors.ts';
import { home } from './en/home.ts';
import { claims, inspector } from './en/inspector.ts';
import { kit } from './en/kit.ts';
import { me } from './en/me.ts';
import { members } from './en/members.ts';
import { problem, roles } from './en/problem.ts';
import { settings } from './en/settings.ts';
import { shell } from './en/shell.ts';

export const t = {
  common,
  json,
  keyboard,
  table,
  chart,
  untrusted,
  problem,
  roles,
  shell,
  kit,
  me,
  home,
  connectors,
  calls,
  agents,
  sites,
  members,
  settings,
  audit,
  inspector,
  claims,
} as const;
