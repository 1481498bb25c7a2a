import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link2, Mail, MailX } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { api, management } from '../../api/client.ts';
import type { Invitation } from '../../api/types.ts';
import { ActionsMenu } from '../../design/actions-menu.tsx';
import { Confirm } from '../../design/confirm.tsx';
import { Status, type Tone } from '../../design/status.tsx';
import type { Column } from '../../design/table.tsx';
import { Time } from '../../design/time.tsx';
import { toast } from '../../design/toast.tsx';
import { Name } from '../../design/untrusted.tsx';
import { useEdited } from '../../forms/use-edited.ts';
import { type Filter, List } from '../../lists/list.tsx';
import { useRight, useSession } from '../../session/session.tsx';
import { t } from '../../text/en.ts';
import { InvitationLink } from './invite.tsx';
import { invitationQuery, invitationsQuery, type MembersSearch } from './queries.ts';

const STATES = ['accepted', 'declined', 'revoked', 'expired'] as const;
const FILTERS: readonly Filter[] = [
  {
    name: 'state',
    label: t.members.state,
    options: [
      { value: '', label: t.members.states.pending },
      ...STATES.map((value) => ({ value, label: t.members.states[value] })),
    ],
  },
];
const TONES: Readonly<Record<Invitation['state'], Tone>> = {
  pending: 'waiting',
  accepted: 'allowed',
  declined: 'refused',
  revoked: 'neutral',
  expired: 'warning',
};

const COLUMNS: readonly Column<Invitation>[] = [
  { header: t.members.email, cell: ({ email }) => <Name text={email} /> },
  { header: t.members.role, cell: ({ role }) => t.roles[role] },
  {
    header: t.members.state,
    cell: ({ state }) => <Status tone={TONES[state]}>{t.members.states[state]}</Status>,
  },
  {
    header: t.members.invitedBy,
    cell: ({ invited_by: { name, id } }) => <Name text={name ?? id} />,
  },
  { header: t.members.expires, narrow: true, cell: ({ expires_at: at }) => <Time at={at} /> },
  {
    header: t.common.more,
    hideHeader: true,
    narrow: true,
    cell: (invitation) => <InvitationMenu invitation={invitation} />,
  },
];

interface InvitationsProps {
  readonly search: MembersSearch;
  readonly action: ReactNode;
}

export function Invitations({ search, action }: InvitationsProps) {
  const { state = 'pending', sort, offset } = search;
  const list = useQuery(invitationsQuery({ state, sort, offset }));
  return (
    <List
      label={t.members.invitations}
      search={search}
      query={list}
      columns={COLUMNS}
      filters={FILTERS}
      empty={{ icon: Mail, text: t.members.invitationsEmpty, action }}
    />
  );
}

function InvitationMenu({ invitation }: { readonly invitation: Invitation }) {
  const { id, email, role, state } = invitation;
  const client = useQueryClient();
  const { role: ownRole } = useSession();
  const right = useRight('invitations:write');
  const [open, setOpen] = useState<'renew' | 'withdraw'>();
  const [link, setLink] = useState<string>();
  const refresh = () => client.invalidateQueries({ queryKey: ['api'] });
  const close = () => setOpen(undefined);
  const closeLink = () => {
    setLink(undefined);
    void refresh();
  };
  const unavailable =
    right.reason ??
    (role === 'owner' && ownRole !== 'owner' ? t.members.ownersOnly : undefined) ??
    (state === 'pending' || state === 'expired' ? undefined : t.members.closed);
  async function renew() {
    const { data } = await api.send<Invitation>(management(`/invitations/${id}/resend`), {
      method: 'POST',
      idempotencyKey: crypto.randomUUID(),
    });
    // The list is reloaded after the link is closed: its row may leave the list, and the link would disappear
    // with it.
    setLink(data.accept_url ?? undefined);
  }
  return (
    <>
      <ActionsMenu
        label={t.members.actions}
        items={[
          { label: t.members.newLink, icon: Link2, unavailable, onSelect: () => setOpen('renew') },
          {
            label: t.members.withdraw,
            icon: MailX,
            danger: true,
            unavailable,
            onSelect: () => setOpen('withdraw'),
          },
        ]}
      />
      {open === 'renew' && (
        <Confirm
          title={t.members.newLinkTitle}
          button={t.members.newLink}
          subject={{ name: email, id }}
          run={renew}
          onClose={close}
        >
          {t.members.newLinkText}
        </Confirm>
      )}
      {open === 'withdraw' && <Withdraw invitation={invitation} onDone={refresh} onClose={close} />}
      {link !== undefined && <InvitationLink link={link} onClose={closeLink} />}
    </>
  );
}

interface WithdrawProps {
  readonly invitation: Invitation;
  onDone(): Promise<void>;
  onClose(): void;
}

function Withdraw({ invitation: { id, email }, onDone, onClose }: WithdrawProps) {
  const { edited, reload } = useEdited(useQuery(invitationQuery(id)));
  async function run() {
    await api.send(management(`/invitations/${id}`), { method: 'DELETE', ifMatch: edited?.data.etag });
    toast(t.members.withdrawn);
    await onDone();
  }
  return (
    <Confirm
      key={edited?.round}
      title={t.members.withdrawTitle}
      button={t.members.withdrawButton}
      subject={{ name: email, id }}
      unavailable={edited === undefined ? t.common.reading : undefined}
      run={run}
      onReload={reload}
      onClose={onClose}
    >
      {t.members.withdrawText}
    </Confirm>
  );
}
