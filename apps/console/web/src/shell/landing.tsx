import { Navigate } from '@tanstack/react-router';
import { useSession } from '../session/session.tsx';

/**
 * The first page after a sign-in without a path. Viewers begin at their own page, because they cannot change
 * what Home shows.
 */
export function Landing() {
  const { role } = useSession();
  return <Navigate replace to={role === 'viewer' ? '/me' : '/'} />;
}
