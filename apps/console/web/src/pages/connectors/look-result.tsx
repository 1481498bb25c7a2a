import type { Check } from '../../api/types.ts';
import { Status } from '../../design/status.tsx';
import { Revealed } from '../../design/untrusted.tsx';
import { t } from '../../text/en.ts';
import { Checks } from './examination.tsx';
import { addressesOf } from './identifier-of.ts';

interface LookResultProps {
  readonly address: string;
  readonly checks: readonly Check[];
}

/**
 * The hub's findings at a URL: first the ones that need attention, and all of them folded, so that the fields
 * below stay visible.
 */
export function LookResult({ address, checks }: LookResultProps) {
  const notable = checks.filter(({ status }) => status === 'fail' || status === 'warn');
  const passed = checks.filter(({ status }) => status === 'ok').length;
  const { resource_url: identifier } = addressesOf(address, checks);
  return (
    <>
      {identifier !== address && (
        <p className="muted">
          {t.connectors.callsItself}{' '}
          <code>
            <Revealed text={identifier} />
          </code>
        </p>
      )}
      {notable.length > 0 && <Checks checks={notable} />}
      <details>
        <summary>
          <Status tone={notable.length > 0 ? 'warning' : 'allowed'}>
            {t.connectors.checksPassed(passed, checks.length)}
          </Status>
        </summary>
        <Checks checks={checks} />
      </details>
    </>
  );
}
