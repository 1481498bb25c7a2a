import { Navigate } from '@tanstack/react-router';
import { useSession } from '../session/session.tsx';

/** The first page after a sign-in that names none: Home is about what viewers cannot change, so they begin with themselves. */
export function Landing() {
  const { role } = useSession();
  return <Navigate replace to={role === 'viewer' ? '/me' : '/'} />;
}
