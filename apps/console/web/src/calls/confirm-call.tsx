import { useEffect, useRef } from 'react';
import { Button } from '../design/button.tsx';
import { Dialog } from '../design/modal.tsx';
import { Revealed } from '../design/untrusted.tsx';
import { t } from '../text/en.ts';

interface ConfirmCallProps {
  readonly connector: { readonly id: string; readonly name: string };
  readonly tool: string;
  onCancel(): void;
  onCall(): void;
}

/**
 * Asks before a call that may change something. Each name has its own line, so that it cannot be read as part
 * of our sentence.
 */
export function ConfirmCall({ connector, tool, onCancel, onCall }: ConfirmCallProps) {
  const cancel = useRef<HTMLButtonElement>(null);
  useEffect(() => cancel.current?.focus(), []);
  return (
    <Dialog
      title={t.calls.confirmTitle}
      onClose={onCancel}
      footer={
        <>
          <Button ref={cancel} onClick={onCancel}>
            {t.common.cancel}
          </Button>
          <Button variant="primary" onClick={onCall}>
            {t.calls.callAnyway}
          </Button>
        </>
      }
    >
      <p>{t.calls.confirmText}</p>
      <p>
        {[tool, connector.name, connector.id].map((name) => (
          <code key={name} dir="auto">
            <Revealed text={name.slice(0, 300)} />
            <br />
          </code>
        ))}
      </p>
    </Dialog>
  );
}
