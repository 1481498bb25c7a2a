import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Users } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Member } from '../../api/types.ts';
import { type Column, rowLink } from '../../design/table.tsx';
import { Time } from '../../design/time.tsx';
import { Name } from '../../design/untrusted.tsx';
import { type Filter, List } from '../../lists/list.tsx';
import { useRight, useSession } from '../../session/session.tsx';
import { t } from '../../text/en.ts';
import { MemberMenu } from './member-menu.tsx';
import { MemberStatus, nameOf } from './member-parts.tsx';
import { type MembersSearch, membersQuery } from './queries.ts';
import { useObstacles } from './use-obstacles.ts';

const FILTERS: readonly Filter[] = [
  {
    name: 'role',
    label: t.members.role,
    options: [
      { value: '', label: t.members.anyRole },
      ...(['owner', 'admin', 'developer', 'viewer'] as const).map((value) => ({
        value,
        label: t.roles[value],
      })),
    ],
  },
  {
    name: 'status',
    label: t.members.status,
    options: [
      { value: '', label: t.members.statuses.active },
      ...(['deactivated', 'denied', 'removed'] as const).map((value) => ({
        value,
        label: t.members.statuses[value],
      })),
      { value: 'any', label: t.members.anyStatus },
    ],
  },
];

interface MembersProps {
  readonly search: MembersSearch;
  readonly action: ReactNode;
}

export function Members({ search: filters, action }: MembersProps) {
  const { search, role, status, sort = 'created_at', offset } = filters;
  const list = useQuery(membersQuery({ search, role, status, sort, offset }));
  // E-mail addresses, and when members were last active, are shown only to those who may change members.
  const { has: seesAll } = useRight('members:write');
  const columns = useColumns();
  return (
    <List
      label={t.members.title}
      search={filters}
      query={list}
      columns={columns.filter(({ personal }) => seesAll || !personal)}
      find={seesAll ? t.members.find : t.members.findName}
      filters={FILTERS}
      sort="created_at"
      empty={{ icon: Users, text: t.members.empty, action }}
    />
  );
}

function useColumns(): readonly (Column<Member> & { readonly personal?: boolean })[] {
  const { user } = useSession();
  const obstaclesOf = useObstacles();
  return [
    {
      header: t.members.name,
      cell: (member) => <MemberLink member={member} isReader={member.user_id === user.id} />,
    },
    { header: t.members.email, personal: true, cell: ({ email }) => email && <Name text={email} /> },
    { header: t.members.role, cell: ({ role }) => t.roles[role] },
    { header: t.members.status, cell: ({ status }) => <MemberStatus status={status} /> },
    {
      header: t.members.seen,
      sort: 'last_seen_at',
      personal: true,
      narrow: true,
      cell: ({ last_seen_at: at }) => (at === null ? t.members.never : <Time at={at} />),
    },
    {
      header: t.members.since,
      sort: 'created_at',
      narrow: true,
      cell: ({ created_at }) => <Time at={created_at} />,
    },
    {
      header: t.common.more,
      hideHeader: true,
      narrow: true,
      cell: (member) => <MemberMenu member={member} obstacles={obstaclesOf(member)} />,
    },
  ];
}

function MemberLink({ member, isReader }: { readonly member: Member; readonly isReader: boolean }) {
  return (
    <>
      <Link
        to="/members"
        search={(now: MembersSearch) => ({ ...now, member: member.id })}
        resetScroll={false}
        {...rowLink}
      >
        <Name text={nameOf(member)} />
      </Link>{' '}
      {isReader && <span className="muted">{t.members.you}</span>}
    </>
  );
}
