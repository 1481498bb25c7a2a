import { useMutation } from '@tanstack/react-query';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/modal.tsx';
import { Problem } from '../../design/states.tsx';
import { leave, signOutEverywhere } from '../../session/sign-out.ts';
import { t } from '../../text/en.ts';

/** Ends all sessions of the reader. Reports success only if the hub has confirmed it. */
export function SignOutEverywhere({ onClose }: { onClose(): void }) {
  const ending = useMutation({
    mutationFn: signOutEverywhere,
    onSuccess: ({ continue_to, hub }) => {
      if (hub === 'ended') leave(continue_to);
    },
  });
  const answer = ending.data;
  if (answer?.hub === 'unreachable') {
    const goOn = () => leave(answer.continue_to);
    return (
      <Dialog
        title={t.me.everywhereUnreachableTitle}
        onClose={goOn}
        footer={
          <Button variant="primary" onClick={goOn}>
            {t.me.goOn}
          </Button>
        }
      >
        <p role="alert">{t.me.everywhereUnreachable}</p>
      </Dialog>
    );
  }
  return (
    <Dialog
      title={t.me.everywhereTitle}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t.common.cancel}</Button>
          <Button
            variant="danger"
            busy={ending.isPending || answer !== undefined}
            onClick={() => ending.mutate()}
          >
            {t.shell.signOutEverywhere}
          </Button>
        </>
      }
    >
      <p>{t.me.everywhereText}</p>
      {ending.error && <Problem problem={ending.error} />}
    </Dialog>
  );
}
