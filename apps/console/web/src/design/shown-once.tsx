import { t } from '../text/en.ts';
import { Button } from './button.tsx';
import { CodeBlock } from './copy.tsx';
import { Dialog } from './modal.tsx';
import { Notice } from './states.tsx';

interface ShownOnceProps {
  readonly title: string;
  /** Name of the secret */
  readonly label: string;
  /** The secret. Anyone who has it can use it; it is kept only in the page, until this is closed. */
  readonly secret: string;
  /** What to do with the secret, and what happens if it is lost */
  readonly text: string;
  onClose(): void;
}

/** Shows a link or a key that nobody can read again later. */
export function ShownOnce({ title, label, secret, text, onClose }: ShownOnceProps) {
  return (
    <Dialog
      title={title}
      onClose={onClose}
      footer={
        <Button variant="primary" onClick={onClose}>
          {t.common.done}
        </Button>
      }
    >
      <Notice tone="warning" title={t.common.shownOnce}>
        {text}
      </Notice>
      <CodeBlock label={label} code={secret} />
    </Dialog>
  );
}
