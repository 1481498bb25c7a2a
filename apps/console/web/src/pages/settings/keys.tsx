import { useQuery } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ListSearch } from '../../api/list-search.ts';
import type { ApiKey } from '../../api/types.ts';
import { Status } from '../../design/status.tsx';
import type { Column } from '../../design/table.tsx';
import { Time } from '../../design/time.tsx';
import { Name } from '../../design/untrusted.tsx';
import { type Filter, List } from '../../lists/list.tsx';
import { t } from '../../text/en.ts';
import { KeyMenu } from './key-menu.tsx';
import { keyState } from './key-state.ts';
import { keysQuery } from './queries.ts';

const FILTERS: readonly Filter[] = [
  {
    name: 'state',
    label: t.settings.state,
    options: [
      { value: '', label: t.settings.states.live },
      ...(['expired', 'revoked', 'any'] as const).map((value) => ({
        value,
        label: t.settings.states[value],
      })),
    ],
  },
];
const TONES = { live: 'allowed', expired: 'warning', revoked: 'neutral' } as const;

interface KeysProps {
  readonly accountId: string;
  readonly search: ListSearch<'state'>;
  readonly action: ReactNode;
}

/** The API keys of a service account; only the last characters of each are known. */
export function Keys({ accountId, search, action }: KeysProps) {
  const { state = 'live', sort = '-created_at', offset } = search;
  const list = useQuery(keysQuery(accountId, { state, sort, offset }));
  const columns: readonly Column<ApiKey>[] = [
    { header: t.settings.name, cell: ({ name }) => <Name text={name} /> },
    { header: t.settings.hint, narrow: true, cell: ({ hint }) => <code>{t.settings.hintOf(hint)}</code> },
    { header: t.settings.scopes, cell: (key) => <Rights apiKey={key} /> },
    {
      header: t.settings.state,
      cell: (key) => {
        const now = keyState(key, new Date());
        return <Status tone={TONES[now]}>{t.settings.states[now]}</Status>;
      },
    },
    {
      header: t.settings.lastUsed,
      narrow: true,
      cell: ({ last_used_at: at }) => (at === null ? t.settings.never : <Time at={at} />),
    },
    { header: t.settings.ends, narrow: true, cell: ({ expires_at: at }) => <Time at={at} /> },
    {
      header: t.common.more,
      hideHeader: true,
      narrow: true,
      cell: (key) => <KeyMenu accountId={accountId} apiKey={key} />,
    },
  ];
  return (
    <List
      label={t.settings.keys}
      search={search}
      query={list}
      columns={columns}
      filters={FILTERS}
      empty={{ icon: KeyRound, text: t.settings.keysEmpty, action }}
    />
  );
}

function Rights({ apiKey: { scopes, allowed_ips: blocks } }: { readonly apiKey: ApiKey }) {
  return (
    <>
      <code>{scopes.join(' ')}</code>
      {blocks.length > 0 && <div className="muted">{t.settings.from(blocks)}</div>}
    </>
  );
}
