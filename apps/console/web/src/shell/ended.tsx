import { useSyncExternalStore } from 'react';
import { endings } from '../api/client.ts';
import type { ApiProblem } from '../api/problem.ts';
import { buttonClass } from '../design/button.tsx';
import { Dialog } from '../design/modal.tsx';
import { signInAddress, signOut } from '../session/sign-out.ts';
import { t } from '../text/en.ts';
import { Lobby } from './lobby.tsx';

const here = (): string => window.location.pathname + window.location.search;

/** Reports above the page, which stays readable, that the session or all access has ended. */
export function Ended() {
  const ending = useSyncExternalStore(endings.subscribe, endings.current);
  if (!ending || ending.kind === 'shut_out') return null;
  return (
    <Dialog
      title={t.shell.sessionEndedTitle}
      onClose={() => window.location.assign(signInAddress(here()))}
      footer={
        <a className={buttonClass('primary')} href={signInAddress(here())}>
          {t.shell.signIn}
        </a>
      }
    >
      <p>{t.shell.sessionEndedText}</p>
    </Dialog>
  );
}

/** The problem that ended all access, or undefined. */
export function useShutOut(): ApiProblem | undefined {
  const ending = useSyncExternalStore(endings.subscribe, endings.current);
  return ending?.kind === 'shut_out' ? ending.problem : undefined;
}

/** Shows that all access has ended: the reader can only sign out. */
export function ShutOut({ code }: { readonly code: string }) {
  return (
    <Lobby
      title={t.shell.shutOutTitle[code] ?? code}
      action={
        <button type="button" className={buttonClass('primary')} onClick={() => void signOut()}>
          {t.shell.signOut}
        </button>
      }
    >
      {t.shell.shutOutText[code]}
    </Lobby>
  );
}
