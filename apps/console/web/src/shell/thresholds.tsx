import { useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { buttonClass } from '../design/button.tsx';
import { leave, signInAddress } from '../session/sign-out.ts';
import { t } from '../text/en.ts';
import { Lobby } from './lobby.tsx';

/** After onboarding: the token of before names no organization, so the reader signs in anew. */
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
