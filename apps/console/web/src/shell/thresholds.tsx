import { useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { buttonClass } from '../design/button.tsx';
import { leave, signInAddress } from '../session/sign-out.ts';
import { t } from '../text/en.ts';
import { Lobby } from './lobby.tsx';

/** The page after onboarding. The reader signs in again, because the current token does not name the new organization. */
export function Welcome() {
  useEffect(() => leave(signInAddress()), []);
  return (
    <Lobby
      title={t.shell.welcomeTitle}
      action={
        <a className={buttonClass('primary')} href={signInAddress()}>
          {t.shell.signIn}
        </a>
      }
    >
      {t.shell.welcomeText}
    </Lobby>
  );
}

export function SignedOut() {
  const { code } = useSearch({ from: '/signed-out' });
  return (
    <Lobby
      title={t.shell.signedOutTitle}
      action={
        <a className={buttonClass('primary')} href={signInAddress()}>
          {t.shell.signIn}
        </a>
      }
    >
      {t.shell.signedOutReason(code)}
    </Lobby>
  );
}
