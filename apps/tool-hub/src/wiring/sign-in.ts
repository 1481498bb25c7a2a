import type { Caller, SignOuts } from '@legate/delegation';
import type { NoteDeed } from '../audit/user-event.ts';
import { createRememberSignIn } from '../sign-in/remember-sign-in.ts';
import type { Sessions } from '../sign-in/sessions.ts';
import { createSignOuts } from '../sign-in/sign-outs.ts';
import type { VerifyCaller } from '../sign-in/verify-caller.ts';
import { createCallerVerifier } from '../sign-in/verify-caller.ts';
import { createIdTokenVerifier } from '../sign-in/verify-id-token.ts';
import type { AppDependencies } from './app-dependencies.ts';
import { createSessionsWith } from './sessions.ts';

/** Authenticates callers, and ends their access. */
export interface SignIn {
  readonly verifyCaller: VerifyCaller;
  readonly sessions: Sessions;
  readonly signOuts: SignOuts;
  readonly rememberSignIn: (caller: Caller) => Promise<void>;
}

export function createSignIn(deps: AppDependencies, noteDeed: NoteDeed): SignIn {
  const { acceptedAudiences, clock, log } = deps;
  const { store } = deps.sessions;
  const verifyIdToken = createIdTokenVerifier({
    issuer: deps.issuer,
    audiences: acceptedAudiences,
    organizationClaim: deps.organizationClaim,
    profile: deps.idTokenProfile,
    clock,
  });
  const sessions = createSessionsWith({
    options: deps.sessions,
    acceptedClients: acceptedAudiences,
    identityProvider: deps.identityProvider,
    verifyIdToken,
    fetch: deps.http.fetch,
    secureStore: deps.store,
    noteDeed,
    clock,
    log,
    metrics: deps.metrics,
  });
  return {
    verifyCaller: createCallerVerifier({ verifyIdToken, sessions }),
    sessions,
    signOuts: createSignOuts({ store, log }),
    rememberSignIn: createRememberSignIn({ memory: store, clock, log }),
  };
}
