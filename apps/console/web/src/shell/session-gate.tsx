import { useQuery } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { shutsOut } from '../api/problem.ts';
import { buttonClass } from '../design/button.tsx';
import { Problem } from '../design/states.tsx';
import { Revealed } from '../design/untrusted.tsx';
import { SessionProvider, sessionQuery, useConfig } from '../session/session.tsx';
import { signInAddress, signOut } from '../session/sign-out.ts';
import { t } from '../text/en.ts';
import { DeletedOrganization } from './deleted-organization.tsx';
import { ShutOut, useShutOut } from './ended.tsx';
import { Lobby } from './lobby.tsx';
import { Shell } from './shell.tsx';

/** Shows a page only if there is a session of a member of an organization. */
export function SessionGate() {
  const { data: session, error, refetch } = useQuery(sessionQuery);
  const ended = useShutOut();
  const shutOut = ended ?? (shutsOut(error) ? error : undefined);
  if (shutOut?.code === 'organization_deleted')
    return <DeletedOrganization problem={shutOut} isOwner={session?.role === 'owner'} />;
  if (shutOut !== undefined) return <ShutOut code={shutOut.code} />;
  if (error)
    return (
      <Lobby title={t.shell.unavailableTitle}>
        <Problem problem={error} onRetry={() => void refetch()} />
      </Lobby>
    );
  if (session === undefined) return null;
  if (session === null) return <SignIn />;
  if (session.organization === null) return <NoOrganization email={session.user.email} />;
  return (
    <SessionProvider session={session}>
      <Shell />
    </SessionProvider>
  );
}

export function SignIn() {
  const { identity_provider_name: provider } = useConfig();
  const here = useRouterState({ select: ({ location }) => location.href });
  return (
    <Lobby
      title={t.shell.signInTitle}
      action={
        <a className={buttonClass('primary')} href={signInAddress(here === '/' ? undefined : here)}>
          {provider === undefined ? t.shell.signIn : t.shell.signInWith(provider)}
        </a>
      }
    >
      {t.shell.signInText}
    </Lobby>
  );
}

function NoOrganization({ email }: { readonly email: string | null }) {
  const returnTo = encodeURIComponent(`${window.location.origin}/welcome`);
  const { management_api_url: api } = useConfig();
  return (
    <Lobby
      title={t.shell.noOrganizationTitle}
      action={
        <>
          {api !== undefined && (
            <a
              className={buttonClass('primary')}
              href={`${new URL(api).origin}/onboarding/sign-in?return_to=${returnTo}`}
            >
              {t.shell.createOrganization}
            </a>
          )}
          <button type="button" className={buttonClass('plain')} onClick={() => void signOut()}>
            {t.shell.signOut}
          </button>
        </>
      }
    >
      <p>{t.shell.noOrganizationText}</p>
      {email !== null && (
        <p>
          {t.shell.signedInAs} <Revealed text={email} />
        </p>
      )}
    </Lobby>
  );
}
