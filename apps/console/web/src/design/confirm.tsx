import type { ReactNode } from 'react';
import { useForm } from '../forms/use-form.ts';
import { t } from '../text/en.ts';
import { FormDialog } from './form-modal.tsx';
import { TextField } from './inputs.tsx';
import { Revealed } from './untrusted.tsx';

export interface Subject {
  readonly name: string;
  /** URL of the subject, if its name does not show it */
  readonly address?: string;
  readonly id: string;
}

interface ConfirmProps {
  readonly title: string;
  /** What will happen */
  readonly children: ReactNode;
  /** A verb and its object */
  readonly button: string;
  /** What the action applies to: the name and id of each thing, one per line */
  readonly subject: Subject;
  /** The name must be typed, for an action that cannot easily be undone */
  readonly typed?: boolean;
  /** Reason why the action is not possible yet */
  readonly unavailable?: string | undefined;
  run(): Promise<unknown>;
  readonly onReload?: () => void;
  onClose(): void;
}

/** Returns each different text once: some things have their id as name. */
const linesOf = ({ name, address = name, id }: Subject) => [...new Set([name, address, id])];

/** Asks before something is deleted or revoked. Names that others have written cannot hide a part of the text. */
export function Confirm({ title, children, button, subject, typed = false, ...rest }: ConfirmProps) {
  const { unavailable, run, onReload, onClose } = rest;
  const form = useForm({
    initial: { name: '' },
    check: ({ name }) => (typed && name.trim() !== subject.name ? { name: t.common.nameDiffers } : {}),
    send: async () => {
      await run();
      onClose();
    },
  });
  return (
    <FormDialog
      danger
      title={title}
      submit={button}
      form={form}
      unavailable={unavailable}
      onClose={onClose}
      {...(onReload && { onReload })}
    >
      <p>{children}</p>
      <div>
        {linesOf(subject).map((line) => (
          <div key={line}>
            <code>
              <Revealed text={line} />
            </code>
          </div>
        ))}
      </div>
      {typed && <TextField label={t.common.typeName} required {...form.field('name')} />}
    </FormDialog>
  );
}
