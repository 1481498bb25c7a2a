import type { Check } from '../../api/types.ts';
import { Button } from '../../design/button.tsx';
import { Status } from '../../design/status.tsx';
import { Revealed } from '../../design/untrusted.tsx';
import { t } from '../../text/en.ts';
import { Checks } from './examination.tsx';
import { addressesOf, issuerToTrust } from './findings.ts';

interface LookResultProps {
  readonly address: string;
  readonly checks: readonly Check[];
  /** The issuer with which the hub inspected the URL */
  readonly issuer: string | undefined;
  onTrust(issuer: string): void;
}

/**
 * The hub's findings at a URL: first the ones that need attention, and all of them folded, so that the fields
 * below stay visible.
 */
export function LookResult({ address, checks, issuer, onTrust }: LookResultProps) {
  const notable = checks.filter(({ status }) => status === 'fail' || status === 'warn');
  const passed = checks.filter(({ status }) => status === 'ok').length;
  const elsewhere = notable.flatMap((check) => issuerToTrust(check, issuer !== undefined) ?? [])[0];
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
      {elsewhere !== undefined && (
        <div>
          <p>
            <code>
              <Revealed text={elsewhere} />
            </code>
          </p>
          <Button onClick={() => onTrust(elsewhere)}>{t.connectors.trustIssuer}</Button>
        </div>
      )}
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
