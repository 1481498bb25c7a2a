import { z } from 'zod';

export const admissionEnvironment = {
  DEFAULT_MEMBER_ROLE: z.enum(['viewer', 'developer', 'none']).default('viewer').meta({
    description:
      'Role of a member whose first token has none of `owner`, `admin`, `developer` and `viewer`, in organizations that set no `default_role`. With `none` such users are refused.',
    when: 'Operators whose identity provider sends no roles, and whose new members should have more rights than reading, or none.',
  }),
};
