import { createRootRoute, createRoute, createRouter, Outlet, redirect } from '@tanstack/react-router';
import { listSearch } from './api/list-search.ts';
import { readSearch } from './pages/audit/search.ts';
import { returnFromConnecting } from './pages/connectors/return-from-connecting.ts';
import { CONNECTOR_TABS, type ConnectorTab } from './pages/connectors/tabs.ts';
import { readInspectorSearch } from './pages/inspector/search.ts';
import { readReturn } from './pages/me/return.ts';
import { Crashed, NotFound } from './shell/faults.tsx';
import { Landing } from './shell/landing.tsx';
import { SessionGate } from './shell/session-gate.tsx';
import { SignedOut, Welcome } from './shell/thresholds.tsx';

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFound });

/** Pages within the shell, for members of an organization. */
const shell = createRoute({ getParentRoute: () => root, id: 'shell', component: SessionGate });

const landing = createRoute({ getParentRoute: () => shell, path: '/start', component: Landing });

const home = createRoute({ getParentRoute: () => shell, path: '/' }).lazy(() =>
  import('./pages/home/page.tsx').then(({ page }) => page),
);

const connectors = createRoute({
  getParentRoute: () => shell,
  path: '/connectors',
  validateSearch: listSearch('status', 'method', 'open'),
}).lazy(() => import('./pages/connectors/page.tsx').then(({ page }) => page));

const connector = createRoute({
  getParentRoute: () => shell,
  path: '/connectors/$connectorId',
  validateSearch: ({ tab }: { readonly tab?: unknown }): { tab?: ConnectorTab } => {
    const known = CONNECTOR_TABS.find((name) => name === tab);
    return known === undefined ? {} : { tab: known };
  },
}).lazy(() => import('./pages/connectors/detail.tsx').then(({ page }) => page));

const agents = createRoute({
  getParentRoute: () => shell,
  path: '/agents',
  validateSearch: listSearch('status', 'open'),
}).lazy(() => import('./pages/agents/page.tsx').then(({ page }) => page));
const agent = createRoute({ getParentRoute: () => shell, path: '/agents/$agentId' }).lazy(() =>
  import('./pages/agents/detail.tsx').then(({ page }) => page),
);

const sites = createRoute({
  getParentRoute: () => shell,
  path: '/sites',
  validateSearch: listSearch(),
}).lazy(() => import('./pages/sites/page.tsx').then(({ page }) => page));
const site = createRoute({ getParentRoute: () => shell, path: '/sites/$siteId' }).lazy(() =>
  import('./pages/sites/detail.tsx').then(({ page }) => page),
);

const members = createRoute({
  getParentRoute: () => shell,
  path: '/members',
  validateSearch: listSearch('tab', 'role', 'status', 'state', 'member'),
}).lazy(() => import('./pages/members/page.tsx').then(({ page }) => page));

const settings = createRoute({
  getParentRoute: () => shell,
  path: '/settings',
  validateSearch: listSearch('tab', 'role', 'status'),
}).lazy(() => import('./pages/settings/page.tsx').then(({ page }) => page));
const account = createRoute({
  getParentRoute: () => shell,
  path: '/settings/accounts/$accountId',
  validateSearch: listSearch('state'),
}).lazy(() => import('./pages/settings/account.tsx').then(({ page }) => page));

const me = createRoute({ getParentRoute: () => shell, path: '/me' }).lazy(() =>
  import('./pages/me/page.tsx').then(({ page }) => page),
);
const accounts = createRoute({
  getParentRoute: () => shell,
  path: '/me/accounts',
  validateSearch: readReturn,
  beforeLoad: ({ search: { connected } }) => {
    const connectorId = connected === 'yes' ? returnFromConnecting() : undefined;
    if (connectorId === undefined) return;
    const search = { tab: 'tools' as const };
    throw redirect({ to: '/connectors/$connectorId', params: { connectorId }, search, replace: true });
  },
}).lazy(() => import('./pages/me/page.tsx').then(({ accountsPage }) => accountsPage));

const inspector = createRoute({
  getParentRoute: () => shell,
  path: '/inspector',
  validateSearch: readInspectorSearch,
}).lazy(() => import('./pages/inspector/page.tsx').then(({ page }) => page));

const audit = createRoute({
  getParentRoute: () => shell,
  path: '/audit',
  validateSearch: readSearch,
}).lazy(() => import('./pages/audit/page.tsx').then(({ page }) => page));

/** Any other address, within the navigation */
const absent = createRoute({ getParentRoute: () => shell, path: '$', component: NotFound });

const welcome = createRoute({ getParentRoute: () => root, path: '/welcome', component: Welcome });
const signedOut = createRoute({
  getParentRoute: () => root,
  path: '/signed-out',
  validateSearch: ({ code }: Record<string, unknown>): { code?: string } =>
    typeof code === 'string' ? { code } : {},
  component: SignedOut,
});

/** All components of the design system; the condition excludes it from production builds. */
const kit = import.meta.env.DEV
  ? [
      createRoute({ getParentRoute: () => root, path: '/kit' }).lazy(() =>
        import('./kit/page.tsx').then(({ page }) => page),
      ),
    ]
  : [];

export const router = createRouter({
  defaultRemountDeps: ({ params }) => params,
  routeTree: root.addChildren([
    shell.addChildren([
      ...[landing, home, connectors, connector, agents, agent, sites, site],
      ...[members, settings, account, audit, inspector, me, accounts, absent],
    ]),
    welcome,
    signedOut,
    ...kit,
  ]),
  defaultPreload: 'intent',
  defaultErrorComponent: Crashed,
  defaultNotFoundComponent: NotFound,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
