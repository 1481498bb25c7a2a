import { createLazyRoute } from '@tanstack/react-router';
import { Page } from '../../design/layout.tsx';
import { Tabs } from '../../design/tabs.tsx';
import { useSearchChange } from '../../lists/list-state.ts';
import { useRight } from '../../session/session.tsx';
import { t } from '../../text/en.ts';
import { Accounts } from './accounts.tsx';
import { OrganizationSettings } from './organization.tsx';

export const page = createLazyRoute('/shell/settings')({ component: SettingsPage });

function SettingsPage() {
  const search = page.useSearch();
  const set = useSearchChange();
  const { has: seesKeys } = useRight('credentials:read');
  const tab = seesKeys && search.tab === 'accounts' ? 'accounts' : 'organization';
  return (
    <Page title={t.settings.title}>
      {seesKeys ? (
        <Tabs
          label={t.settings.title}
          value={tab}
          onChange={(next) => {
            const unset = Object.fromEntries(Object.keys(search).map((name) => [name, undefined]));
            set({ ...unset, tab: next === 'accounts' ? next : undefined });
          }}
          tabs={(['organization', 'accounts'] as const).map((name) => ({
            name,
            label: t.settings.tabs[name],
          }))}
        >
          {tab === 'accounts' ? <Accounts search={search} /> : <OrganizationSettings />}
        </Tabs>
      ) : (
        <OrganizationSettings />
      )}
    </Page>
  );
}
