import { html } from '../pages/html.ts';
import { page } from '../pages/layout.ts';

export type SignInFault = 'wrong' | 'too_many';

const FAULTS: Readonly<Record<SignInFault, string>> = {
  wrong: 'E-mail address or password is wrong.',
  too_many: 'Too many attempts. Wait a quarter of an hour, then start again from the application.',
};

/** One form without script; what went wrong is announced, and the fields point to it (WCAG 2.2 §3.3.1, §4.1.3). */
export function signInPage(options: {
  interactionId: string;
  clientName: string;
  email?: string | undefined;
  fault?: SignInFault;
}): string {
  const { interactionId, clientName, email, fault } = options;
  const described = fault === 'wrong' ? html` aria-invalid="true" aria-describedby="fault"` : undefined;
  return page(
    'Sign in',
    html`<p>to continue to <strong>${clientName}</strong></p>
${fault && html`<p class="alert" role="alert" id="fault">${FAULTS[fault]}</p>`}
<form method="post" action="/interaction/${interactionId}">
<label for="email">E-mail address</label>
<input id="email" name="email" type="email" autocomplete="username" required maxlength="254" value="${email}"${described}${email === undefined ? html` autofocus` : undefined}>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required maxlength="200"${described}${email === undefined ? undefined : html` autofocus`}>
<button type="submit">Sign in</button>
</form>
<form method="post" action="/interaction/${interactionId}/cancel">
<button type="submit" class="quiet">Cancel</button>
</form>`,
    fault && 'Error:',
  );
}
