import { Link } from '@tanstack/react-router';
import { useSession } from '../session/session.tsx';
import { t } from '../text/en.ts';

/** A link to the audit event of a call, which has the same id as the call. */
export function WhyLink({ callId }: { readonly callId: string }) {
  const { scopes } = useSession();
  if (!scopes.includes('audit:read')) return null;
  return (
    <Link to="/audit" search={{ event: callId }}>
      {t.audit.why}
    </Link>
  );
}
