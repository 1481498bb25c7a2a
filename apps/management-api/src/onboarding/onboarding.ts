import { z } from 'zod';
import { DisplayName } from '../api/display-name.ts';

const token = z.string().min(1).max(512);

/** Product specification, section 4.1 */
export const CreateOrganization = z.strictObject({
  session: z.uuid(),
  csrf_token: token,
  name: DisplayName,
});
export type CreateOrganization = z.output<typeof CreateOrganization>;

export const GiveConsent = z.strictObject({
  session: z.uuid(),
  csrf_token: token,
  decision: z.enum(['approve', 'deny']),
});
export type GiveConsent = z.output<typeof GiveConsent>;

/** Product specification, section 2: in camelCase, unlike the rest of the API. */
export const OnboardingContext = z.strictObject({
  /** What is not known is an empty string. */
  user: z.strictObject({ email: z.string(), name: z.string(), organizationName: z.string() }),
  /** The verified domains of the organization */
  domains: z.array(z.string()),
  /** For the next step */
  csrfToken: z.string(),
  needsOrgCreation: z.boolean(),
  suggestedOrgName: z.string().nullable(),
  warning: z.string().optional(),
});
export type OnboardingContext = z.output<typeof OnboardingContext>;

export const ConsentGiven = z.strictObject({
  redirect_to: z.string(),
  organization_id: z.string(),
  /** The token of the sign-in may not name the organization. */
  token_refresh_required: z.literal(true),
});
export type ConsentGiven = z.output<typeof ConsentGiven>;
