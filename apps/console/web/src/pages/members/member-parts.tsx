import type { Member } from '../../api/types.ts';
import { Status, type Tone } from '../../design/status.tsx';
import { t } from '../../text/en.ts';

const TONES: Readonly<Record<Member['status'], Tone>> = {
  active: 'allowed',
  deactivated: 'waiting',
  denied: 'refused',
  removed: 'neutral',
};

export const MemberStatus = ({ status }: Pick<Member, 'status'>) => (
  <Status tone={TONES[status]}>{t.members.statuses[status]}</Status>
);

/** The name or e-mail address of a member: only administrators see both. */
export const nameOf = ({ name, email, user_id }: Member): string => name ?? email ?? user_id;
