import { useQuery } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { ApiProblem } from '../../api/problem.ts';
import { Button } from '../../design/button.tsx';
import { Page } from '../../design/layout.tsx';
import { Tabs } from '../../design/tabs.tsx';
import { useSearchChange } from '../../lists/list-state.ts';
import { useConfig, useRight } from '../../session/session.tsx';
import { t } from '../../text/en.ts';
import { Invitations } from './invitations.tsx';
import { Invite } from './invite.tsx';
import { MemberPanel } from './member-panel.tsx';
import { Members } from './members.tsx';
import { invitationsQuery } from './queries.ts';

export const page = createLazyRoute('/shell/members')({ component: MembersPage });

function MembersPage() {
  const search = page.useSearch();
  const set = useSearchChange();
  const [inviting, setInviting] = useState(false);
  const { offered, readable, open } = useInvitations();
  const right = useRight('invitations:write');
  const tab = readable && search.tab === 'invitations' ? 'invitations' : 'members';
  const invite = (
    <Button
      variant="primary"
      icon={UserPlus}
      unavailable={right.reason ?? (offered ? undefined : t.members.noInvitationsReason)}
      onClick={() => setInviting(true)}
    >
      {t.members.invite}
    </Button>
  );
  const members = <Members search={search} action={invite} />;
  return (
    <Page title={t.members.title} actions={invite}>
      {readable ? (
        <Tabs
          label={t.members.title}
          value={tab}
          // The filters of one tab do not apply to the other.
          onChange={(next) =>
            set({
              ...Object.fromEntries(Object.keys(search).map((name) => [name, undefined])),
              tab: next === 'members' ? undefined : next,
            })
          }
          tabs={[
            { name: 'members', label: t.members.title },
            { name: 'invitations', label: t.members.invitationsOpen(open) },
          ]}
        >
          {tab === 'members' ? members : <Invitations search={search} action={invite} />}
        </Tabs>
      ) : (
        members
      )}
      {right.has && !offered && <p className="muted">{t.members.noInvitations}</p>}
      {inviting && <Invite onClose={() => setInviting(false)} />}
      {search.member !== undefined && (
        <MemberPanel
          key={search.member}
          id={search.member}
          onClose={() => set({ ...search, member: undefined })}
        />
      )}
    </Page>
  );
}

/** Returns whether this deployment has invitations, whether the reader may see them, and how many are open. */
function useInvitations() {
  const { features } = useConfig();
  const right = useRight('invitations:read');
  const asked = right.has && features?.invitations !== false;
  const list = useQuery({ ...invitationsQuery({ state: 'pending' }), enabled: asked });
  // If the identity provider does not manage memberships, the management API has no such path.
  const absent = list.error instanceof ApiProblem && list.error.status === 404;
  const offered = features?.invitations !== false && !absent;
  return { offered, readable: right.has && offered, open: list.data?.pagination.total ?? 0 };
}
