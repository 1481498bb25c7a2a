import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createViewsIn } from '@legate/service';
import type { OnboardingSessionId } from '../../domain/ids.ts';
import type { OnboardingContext } from '../onboarding.ts';
import type { Fault } from './faults.ts';

/** Next to `src` and `dist`, so that both find it. */
const VIEWS = fileURLToPath(new URL('../../../views/onboarding', import.meta.url));

export interface Link {
  readonly href: string;
  readonly label: string;
}

/** The signed-in user, and what the forms shown to them must carry. */
interface InSession {
  readonly sessionId: OnboardingSessionId;
  readonly context: OnboardingContext;
  /** Leads to a sign-in that asks for the user */
  readonly switchUser: string;
}

export type Pages = ReturnType<typeof createPages>;

/**
 * The pages of onboarding, made from the templates in `views/onboarding`, which escape what is put into them: callers pass names
 * and addresses unescaped.
 * @param base path of the pages, such as `/onboarding`
 */
export function createPages(base: string) {
  const views = createViewsIn(VIEWS);
  const text = readFileSync(`${VIEWS}/style.css`, 'utf8');
  // A changed style sheet has a new address, so that browsers may cache each for ever.
  const version = createHash('sha256').update(text).digest('hex').slice(0, 12);
  const path = `/style-${version}.css`;

  const render = (view: string, title: string, page: object) =>
    views.render(view, { ...DEFAULTS, ...page, title, base, stylesheet: `${base}${path}` });

  return {
    start: (page: { application: string | undefined; signIn: Link }) =>
      render('start', 'Set up your organization', page),
    /**
     * @param page.nameFault what is wrong with the name
     * @param page.alert any other error
     */
    createOrganization: (
      page: InSession & { name: string; nameFault?: string | undefined; alert?: string | undefined },
    ) =>
      render('create-organization', 'Create your organization', {
        ...page,
        isFaulty: page.nameFault !== undefined || page.alert !== undefined,
      }),
    /** Reloads itself until the organization exists. */
    creating: (page: InSession & { refreshSeconds: number }) =>
      render('creating', 'Your organization is being created', page),
    consent: (page: InSession & { application: string; clientId: string; target: string }) =>
      render('consent', 'Allow access', page),
    /** @param page.onward undefined: no application has sent the user here */
    done: (page: InSession & { allowed: boolean; onward: Link | undefined; again: Link }) =>
      render('done', page.allowed ? 'Access allowed' : 'Access not allowed', page),
    fault: (
      page: Pick<Fault, 'title' | 'text'> & {
        links: readonly Link[];
        code: string;
        requestId: string | undefined;
      },
    ) => render('fault', page.title, page),
    style: { path, text },
  };
}

/** Values that the layout reads if a page does not set them. */
const DEFAULTS = { context: undefined, refreshSeconds: undefined, isFaulty: false };
