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

/** What a member is called: of others than administrators, some know the name only. */
export const nameOf = ({ name, email, user_id }: Member): string => name ?? email ?? user_id;
