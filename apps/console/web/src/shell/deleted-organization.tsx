import { useMutation, useQueryClient } from '@tanstack/react-query';
import { endings } from '../api/client.ts';
import type { ApiProblem } from '../api/problem.ts';
import { Button } from '../design/button.tsx';
import { Problem } from '../design/states.tsx';
import { Time } from '../design/time.tsx';
import { toast } from '../design/toast.tsx';
import { restoreOrganization } from '../session/restore-organization.ts';
import { signOut } from '../session/sign-out.ts';
import { t } from '../text/en.ts';
import { Lobby } from './lobby.tsx';

interface DeletedOrganizationProps {
  /** The refusal; its `purge_at` is the time until which the organization can be restored */
  readonly problem: ApiProblem;
  /** True for an owner: no one else can restore the organization */
  readonly isOwner: boolean;
}

/** Explains that the organization was deleted, until when it can be restored, and by whom. */
export function DeletedOrganization({ problem, isOwner }: DeletedOrganizationProps) {
  const { purge_at: purgeAt } = problem.document;
  const restore = useRestore();
  if (typeof purgeAt !== 'string')
    return (
      <Lobby title={t.shell.deletedTitle} action={<SignOut />}>
        {t.shell.deletedForGood}
      </Lobby>
    );
  return (
    <Lobby
      title={t.shell.deletedTitle}
      action={
        <>
          {isOwner && (
            <Button variant="primary" busy={restore.isPending} onClick={() => restore.mutate()}>
              {t.settings.restore}
            </Button>
          )}
          <SignOut />
        </>
      }
    >
      <p>{t.shell.deletedText}</p>
      <p>
        {isOwner ? t.shell.deletedOwner : t.shell.deletedOthers} <Time at={purgeAt} as="full" />
      </p>
      {restore.error && <Problem problem={restore.error} />}
    </Lobby>
  );
}

const SignOut = () => <Button onClick={() => void signOut()}>{t.shell.signOut}</Button>;

function useRestore() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: restoreOrganization,
    onSuccess: async () => {
      await client.resetQueries({ predicate: ({ queryKey: [first] }) => first !== 'session' });
      endings.clear();
      toast(t.settings.restored);
    },
  });
}
