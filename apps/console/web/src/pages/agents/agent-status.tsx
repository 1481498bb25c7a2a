import type { AgentSummary } from '../../api/types.ts';
import { Status, type Tone } from '../../design/status.tsx';
import { t } from '../../text/en.ts';

const TONES: Readonly<Record<AgentSummary['status'], Tone>> = {
  active: 'allowed',
  draft: 'waiting',
  disabled: 'neutral',
};

export const AgentStatus = ({ status }: Pick<AgentSummary, 'status'>) => (
  <Status tone={TONES[status]}>{t.agents.statuses[status]}</Status>
);
