import { z } from 'zod';

export const seedEnvironment = {
  SEED_FILE: z.string().min(1).optional().meta({
    description: 'JSON file with organizations, their plans and connectors, saved at every start.',
    when: 'Developers, and operators who keep organizations and connectors in a file.',
    example: '/config/organizations.json',
  }),
};
