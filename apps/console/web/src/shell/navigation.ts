import {
  Bot,
  Building2,
  Globe,
  House,
  type LucideIcon,
  Plug,
  Route,
  ScrollText,
  Settings,
  UserRound,
  Users,
} from 'lucide-react';
import { t } from '../text/en.ts';

export interface NavigationEntry {
  readonly to: string;
  readonly label: string;
  readonly icon: LucideIcon;
  /** The scope without which the entry is hidden: readers do not see pages that they may not read */
  readonly scope?: string;
}

/** The pages in the navigation. A new page is added here and in router.tsx. */
export const NAVIGATION: readonly NavigationEntry[] = [
  { to: '/', label: t.shell.pages.home, icon: House, scope: 'org:read' },
  { to: '/connectors', label: t.shell.pages.connectors, icon: Plug, scope: 'connectors:read' },
  { to: '/agents', label: t.shell.pages.agents, icon: Bot, scope: 'agents:read' },
  { to: '/sites', label: t.shell.pages.sites, icon: Globe, scope: 'sites:read' },
  { to: '/members', label: t.shell.pages.members, icon: Users, scope: 'members:read' },
  { to: '/audit', label: t.shell.pages.audit, icon: ScrollText, scope: 'audit:read' },
  // Shown to the roles to which the hub shows tokens: owners, administrators and developers
  { to: '/inspector', label: t.shell.pages.inspector, icon: Route, scope: 'agents:write' },
  { to: '/settings', label: t.shell.pages.settings, icon: Settings, scope: 'org:read' },
];

export const ME: NavigationEntry = { to: '/me', label: t.shell.pages.me, icon: UserRound };
export const OrganizationIcon = Building2;
