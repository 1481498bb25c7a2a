import { queryOptions, useQuery } from '@tanstack/react-query';
import { Bot, Globe, Hash, Keyboard, LogOut, type LucideIcon, Moon, Plug, Sun, Users } from 'lucide-react';
import { api, management } from '../api/client.ts';
import type { PageOf } from '../api/types.ts';
import { usePaused } from '../lists/use-paused.ts';
import { setPreference } from '../session/preferences.ts';
import { useSession } from '../session/session.tsx';
import { signOut } from '../session/sign-out.ts';
import { t } from '../text/en.ts';
import { ME, NAVIGATION } from './navigation.ts';
import { placeOfId } from './palette-ids.ts';

export interface PaletteEntry {
  readonly key: string;
  readonly group: string;
  readonly label: string;
  readonly icon: LucideIcon;
  /** A path of this console, or a function to run */
  readonly to?: string;
  readonly run?: () => void;
}

interface Named {
  readonly id: string;
  readonly name: string | null;
  readonly email?: string | null;
}

interface Source {
  readonly path: string;
  readonly scope: string;
  readonly group: string;
  readonly icon: LucideIcon;
  to(id: string): string;
}

const SOURCES: readonly Source[] = [
  {
    path: '/connectors',
    scope: 'connectors:read',
    group: t.shell.paletteGroups.connectors,
    icon: Plug,
    to: (id) => `/connectors/${id}`,
  },
  {
    path: '/agents',
    scope: 'agents:read',
    group: t.shell.paletteGroups.agents,
    icon: Bot,
    to: (id) => `/agents/${id}`,
  },
  {
    path: '/sites',
    scope: 'sites:read',
    group: t.shell.paletteGroups.sites,
    icon: Globe,
    to: (id) => `/sites/${id}`,
  },
  {
    path: '/members',
    scope: 'members:read',
    group: t.shell.paletteGroups.members,
    icon: Users,
    to: (id) => `/members?member=${id}`,
  },
];

const FOUND_AT_MOST = 5;
/** Minimum number of characters for a search by name. */
const SEARCHED_FROM = 2;

/**
 * Returns the entries that match a text: pages and actions by their words, resources by their names, one
 * resource by its id.
 */
export function usePaletteEntries(text: string, onHelp: () => void): readonly PaletteEntry[] {
  const { scopes } = useSession();
  const words = text.trim().toLowerCase();
  const isId = placeOfId(text) !== undefined;
  const searched = !isId && words.length >= SEARCHED_FROM;
  const asked = usePaused(words);
  const found = useQuery({ ...searchQuery(asked, scopes), enabled: searched && asked === words });
  const own = [...pages(scopes), ...actions(onHelp)].filter(({ label }) =>
    label.toLowerCase().includes(words),
  );
  return [...byId(text), ...own, ...(searched ? (found.data ?? []) : [])];
}

const searchQuery = (search: string, scopes: readonly string[]) =>
  queryOptions({
    queryKey: ['palette', search],
    queryFn: async ({ signal }) => {
      const readable = SOURCES.filter(({ scope }) => scopes.includes(scope));
      const lists = await Promise.all(
        readable.map(async (source) => {
          const query = { search, limit: FOUND_AT_MOST };
          const { data, pagination } = await api.get<PageOf<Named>>(management(source.path), {
            query,
            signal,
          });
          const { total } = pagination;
          const group =
            total > data.length ? t.shell.paletteFirst(source.group, data.length, total) : source.group;
          return data.map((thing) => entryOf({ ...source, group }, thing));
        }),
      );
      return lists.flat();
    },
    staleTime: 60_000,
  });

const entryOf = ({ group, icon, to }: Source, { id, name, email }: Named): PaletteEntry => ({
  key: id,
  group,
  icon,
  label: name ?? email ?? id,
  to: to(id),
});

const pages = (scopes: readonly string[]): readonly PaletteEntry[] =>
  [...NAVIGATION, ME]
    .filter(({ scope }) => scope === undefined || scopes.includes(scope))
    .map(({ to, label, icon }) => ({ key: to, group: t.shell.paletteGroups.pages, label, icon, to }));

function actions(onHelp: () => void): readonly PaletteEntry[] {
  const action = (label: string, icon: LucideIcon, run: () => void): PaletteEntry => ({
    key: label,
    group: t.shell.paletteGroups.actions,
    label,
    icon,
    run,
  });
  return [
    action(t.shell.themeDark, Moon, () => setPreference('theme', 'dark')),
    action(t.shell.themeLight, Sun, () => setPreference('theme', 'light')),
    action(t.keyboard.title, Keyboard, onHelp),
    action(t.shell.signOut, LogOut, () => void signOut()),
  ];
}

function byId(text: string): readonly PaletteEntry[] {
  const to = placeOfId(text);
  const id = text.trim();
  return to === undefined
    ? []
    : [{ key: id, group: t.shell.paletteGroups.ids, label: t.shell.openId(id), icon: Hash, to }];
}
