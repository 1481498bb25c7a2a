import { type FormEvent, type ReactNode, type RefObject, useEffect, useId, useRef } from 'react';
import { t } from '../text/en.ts';
import { Button } from './button.tsx';
import { Stack } from './layout.tsx';
import { Dialog, Panel } from './modal.tsx';
import { Problem } from './states.tsx';

interface FormModalProps {
  readonly title: ReactNode;
  /** What `useForm` returns */
  readonly form: {
    readonly form: RefObject<HTMLFormElement | null>;
    readonly busy: boolean;
    readonly problem: unknown;
    submit(event?: FormEvent): Promise<void>;
  };
  /** A verb, for the button that sends the form */
  readonly submit: ReactNode;
  /** True if it deletes or revokes something */
  readonly danger?: boolean;
  /** The reason why the form cannot be sent */
  readonly unavailable?: string | undefined;
  onClose(): void;
  /** Reads the resource again if the problem is that it has changed since it was read */
  readonly onReload?: () => void;
  /** The fields */
  readonly children: ReactNode;
}

function FormModal({ as: Modal, ...props }: FormModalProps & { readonly as: typeof Panel }) {
  const { title, form, submit, danger, unavailable, onClose, onReload, children } = props;
  const id = useId();
  const cancel = useRef<HTMLButtonElement>(null);
  const { form: element } = form;
  useEffect(() => {
    const first = element.current?.querySelector<HTMLElement>(':is(input, select, textarea):enabled');
    (first ?? cancel.current)?.focus();
  }, [element]);
  return (
    <Modal
      title={title}
      onClose={onClose}
      footer={
        <>
          <Button ref={cancel} onClick={onClose}>
            {t.common.cancel}
          </Button>
          <Button
            type="submit"
            form={id}
            variant={danger ? 'danger' : 'primary'}
            busy={form.busy}
            unavailable={unavailable}
          >
            {submit}
          </Button>
        </>
      }
    >
      <form id={id} ref={form.form} onSubmit={form.submit} noValidate>
        <Stack>{children}</Stack>
      </form>
      {form.problem !== undefined && <Problem problem={form.problem} onReload={onReload} />}
    </Modal>
  );
}

/** A form at the right of the page. Its first field has the focus, or *Cancel* if it has no field. */
export const FormPanel = (props: FormModalProps) => <FormModal {...props} as={Panel} />;

/** A short form in the middle of the page. */
export const FormDialog = (props: FormModalProps) => <FormModal {...props} as={Dialog} />;
