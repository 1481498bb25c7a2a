import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { createViewsIn, PAGE_STYLE } from '@legate/service';
import type { OnboardingSessionId } from '../../../domain/ids.ts';
import type { Role } from '../../../domain/rights.ts';
import type { OnboardingContext } from '../onboarding.ts';
import type { Fault } from './faults.ts';

/** The directory of templates, next to `src` and `dist`, so that both find it. */
const VIEWS = fileURLToPath(new URL('../../../../views/onboarding', import.meta.url));

export interface Link {
  readonly href: string;
  readonly label: string;
}

/** The signed-in user, and the fields that the forms shown to them must contain */
interface InSession {
  readonly sessionId: OnboardingSessionId;
  readonly context: OnboardingContext;
  /** Link to a sign-in that asks which user to sign in */
  readonly switchUser: string;
  /** True if the last step is a question: may the application act for the user? */
  readonly asksConsent: boolean;
  /** The outcome of an earlier step, to show once */
  readonly notice?: string | undefined;
}

/** The details of an invitation that a page shows */
export interface InvitationOnPage {
  readonly organization: string;
  readonly domains: readonly string[];
  readonly inviter: string;
  readonly role: Role;
  /** The masked e-mail address of the invited person */
  readonly address: string;
}

/** The person who answers an invitation; their session has no organization yet. */
type Invited = Pick<InSession, 'sessionId' | 'switchUser'> & {
  readonly context: { readonly user: { readonly name: string; readonly email: string } };
  readonly invitation: InvitationOnPage;
};

/** The permissions of a role, described for people who have not read the documentation */
const MEANING_OF: Readonly<Record<Role, string>> = {
  owner: 'may do everything',
  admin: 'may manage all but the organization itself',
  developer: 'may change sites and agents',
  viewer: 'may look at everything, and change nothing',
};

export type Pages = ReturnType<typeof createPages>;

/**
 * The pages of onboarding, made from the templates in `views/onboarding`, which escape what is put into them: callers pass names
 * and addresses unescaped.
 * @param base path of the pages, such as `/onboarding`
 */
export function createPages(base: string) {
  const views = createViewsIn(VIEWS);
  // A changed style sheet has a new URL, so that browsers may cache each one forever.
  const version = createHash('sha256').update(PAGE_STYLE).digest('hex').slice(0, 12);
  const path = `/style-${version}.css`;

  const render = (view: string, title: string, page: object) =>
    views.render(view, { ...DEFAULTS, ...page, title, base, stylesheet: `${base}${path}` });

  return {
    start: (page: { application: string | undefined; asksConsent: boolean; signIn: Link }) =>
      render('start', 'Set up your organization', page),
    /**
     * @param page.nameFault the error in the name
     * @param page.alert any other error
     */
    createOrganization: (
      page: InSession & { name: string; nameFault?: string | undefined; alert?: string | undefined },
    ) =>
      render('create-organization', 'Create your organization', {
        ...page,
        isFaulty: page.nameFault !== undefined || page.alert !== undefined,
      }),
    /** @param page.csrfToken token of a person who has signed in; others get `signIn` */
    invitation: (page: (Invited & { csrfToken: string }) | { invitation: InvitationOnPage; signIn: Link }) =>
      render('invitation', `Join ${page.invitation.organization}`, {
        ...page,
        meaning: MEANING_OF[page.invitation.role],
      }),
    /** Reloads itself until the person is a member. */
    joining: (page: Invited & { refreshSeconds: number }) =>
      render('joining', `You are joining ${page.invitation.organization}`, page),
    /** Reloads itself until the organization exists. */
    creating: (page: InSession & { refreshSeconds: number }) =>
      render('creating', 'Your organization is being created', page),
    consent: (page: InSession & { application: string; clientId: string; target: string }) =>
      render('consent', 'Allow access', page),
    /** Renders the page at the end of a sign-in that asked the user nothing. @param page.onward as below */
    ready: (page: InSession & { onward: Link | undefined }) =>
      render('ready', 'Your organization is ready', page),
    /** @param page.onward undefined if no application has sent the user here */
    done: (page: InSession & { allowed: boolean; onward: Link | undefined; again: Link }) =>
      render('done', page.allowed ? 'Access allowed' : 'Access not allowed', page),
    fault: (
      page: Pick<Fault, 'title' | 'text'> & {
        links: readonly Link[];
        code: string;
        requestId: string | undefined;
        /** True if the browser can continue without the invitation whose link it has opened */
        setAside: boolean;
      },
    ) => render('fault', page.title, page),
    stylePath: path,
  };
}

/** Values that the layout reads if a page does not set them. */
const DEFAULTS = {
  context: undefined,
  refreshSeconds: undefined,
  isFaulty: false,
  notice: undefined,
  csrfToken: undefined,
};
