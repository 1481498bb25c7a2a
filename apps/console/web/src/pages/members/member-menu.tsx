import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ShieldOff, UserCheck, UserMinus, UserRoundPen, UserX } from 'lucide-react';
import { useState } from 'react';
import { api, management } from '../../api/client.ts';
import type { Member, Revocation } from '../../api/types.ts';
import { ActionsMenu } from '../../design/actions-menu.tsx';
import { Confirm } from '../../design/confirm.tsx';
import type { MenuItem } from '../../design/menu.tsx';
import { toast } from '../../design/toast.tsx';
import { useEdited } from '../../forms/use-edited.ts';
import { useSearchChange } from '../../lists/list-state.ts';
import { t } from '../../text/en.ts';
import { nameOf } from './member-parts.tsx';
import type { Obstacles } from './obstacles.ts';
import { memberQuery } from './queries.ts';

type Act = 'revoke' | 'deactivate' | 'remove' | 'reinstate';

interface MemberMenuProps {
  readonly member: Member;
  readonly obstacles: Obstacles;
}

/** The actions for a member, in their row. */
export function MemberMenu({ member, obstacles }: MemberMenuProps) {
  const set = useSearchChange();
  const { items, question } = useMemberActions(member, obstacles);
  const changeRole: MenuItem = {
    label: t.members.changeRole,
    icon: UserRoundPen,
    unavailable: obstacles.role,
    onSelect: () => set({ member: member.id }),
  };
  return (
    <>
      <ActionsMenu
        label={t.members.actions}
        items={member.status === 'active' ? [changeRole, ...items] : items}
      />
      {question}
    </>
  );
}

/**
 * Returns the actions that end a member's access or give it back, and the question that one of them asks.
 * @param onDone called after an action has succeeded
 */
export function useMemberActions(member: Member, obstacles: Obstacles, onDone?: () => void) {
  const [open, setOpen] = useState<Act>();
  const isIn = member.status === 'active';
  const entry = (act: Act, label: string, icon: typeof UserX, unavailable?: string): MenuItem => ({
    label,
    icon,
    unavailable,
    danger: act === 'remove',
    onSelect: () => setOpen(act),
  });
  const items: readonly (MenuItem | false)[] = [
    isIn && entry('revoke', t.members.revoke, ShieldOff, obstacles.other),
    isIn && entry('deactivate', t.members.deactivate, UserMinus, obstacles.end),
    !isIn && entry('reinstate', t.members.reinstate, UserCheck, obstacles.other),
    member.status !== 'removed' && entry('remove', t.members.remove, UserX, obstacles.end),
  ];
  return {
    items: items.filter((item) => item !== false),
    question: open !== undefined && (
      <Ask act={open} member={member} onDone={onDone} onClose={() => setOpen(undefined)} />
    ),
  };
}

const WORDS = {
  revoke: { title: t.members.revokeTitle, text: t.members.revokeText, button: t.members.revoke },
  deactivate: {
    title: t.members.deactivateTitle,
    text: t.members.deactivateText,
    button: t.members.deactivateButton,
  },
  remove: { title: t.members.removeTitle, text: t.members.removeText, button: t.members.removeButton },
  reinstate: {
    title: t.members.reinstateTitle,
    text: t.members.reinstateText,
    button: t.members.reinstateButton,
  },
} as const;

interface AskProps {
  readonly act: Act;
  readonly member: Member;
  readonly onDone: (() => void) | undefined;
  onClose(): void;
}

function Ask({ act, member, onDone, onClose }: AskProps) {
  const client = useQueryClient();
  // Only a removal contains the version of the member; the other actions have the same effect when repeated.
  const { edited, reload } = useEdited(useQuery({ ...memberQuery(member.id), enabled: act === 'remove' }));
  const words = WORDS[act];
  async function run() {
    toast(await send(act, member, edited?.data.etag));
    await client.invalidateQueries({ queryKey: ['api'] });
    onDone?.();
  }
  return (
    <Confirm
      key={edited?.round}
      title={words.title}
      button={words.button}
      subject={{ name: nameOf(member), id: member.id }}
      typed={act === 'remove'}
      unavailable={act === 'remove' && edited === undefined ? t.common.reading : undefined}
      run={run}
      onReload={reload}
      onClose={onClose}
    >
      {words.text}
    </Confirm>
  );
}

/** @returns a description of what was done */
async function send(act: Act, { id }: Member, etag: string | undefined): Promise<string> {
  const path = management(`/members/${id}`);
  const idempotencyKey = crypto.randomUUID();
  switch (act) {
    case 'revoke': {
      const body = { member_id: id };
      const { data } = await api.send<Revocation>(management('/revocations'), {
        method: 'POST',
        body,
        idempotencyKey,
      });
      return t.members.revoked[data.status];
    }
    case 'deactivate':
      await api.send(`${path}/deactivate`, { method: 'POST', body: {}, idempotencyKey });
      return t.members.deactivated;
    case 'reinstate':
      await api.send(`${path}/reinstate`, { method: 'POST', body: {}, idempotencyKey });
      return t.members.reinstated;
    case 'remove':
      await api.send(path, { method: 'DELETE', ifMatch: etag });
      return t.members.removed;
  }
}
