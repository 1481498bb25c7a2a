import { z } from 'zod';
import { DisplayName } from '../../domain/display-name.ts';
import { OnboardingSessionId } from '../../domain/ids.ts';

const token = z.string().min(1).max(512);

/** Product specification, section 4.1 */
export const CreateOrganization = z.strictObject({
  session: OnboardingSessionId,
  csrf_token: token,
  name: DisplayName,
});
export type CreateOrganization = z.output<typeof CreateOrganization>;

export const GiveConsent = z.strictObject({
  session: OnboardingSessionId,
  csrf_token: token,
  decision: z.enum(['approve', 'deny']),
});
export type GiveConsent = z.output<typeof GiveConsent>;

/** Product specification, section 2: in camelCase, unlike the rest of the API. */
export const OnboardingContext = z
  .strictObject({
    user: z
      .strictObject({ email: z.string(), name: z.string(), organizationName: z.string() })
      .describe('Unknown values are empty strings'),
    domains: z.array(z.string()).describe('The verified domains of the organization'),
    csrfToken: z.string().describe('CSRF token of the next step'),
    needsOrgCreation: z.boolean(),
    suggestedOrgName: z.string().nullable(),
    warning: z.string().optional(),
  })
  .meta({ id: 'OnboardingContext', description: 'The state of an onboarding session.' });
export type OnboardingContext = z.output<typeof OnboardingContext>;

export const ConsentGiven = z
  .strictObject({
    redirect_to: z.string(),
    organization_id: z.string(),
    token_refresh_required: z
      .literal(true)
      .describe('Request a new token: that of the sign-in may not name the organization'),
  })
  .meta({ id: 'ConsentGiven', description: 'Where to continue.' });
export type ConsentGiven = z.output<typeof ConsentGiven>;
