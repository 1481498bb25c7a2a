import { z } from 'zod';

const Step = z.object({
  csrfToken: z.string(),
  needsOrgCreation: z.boolean(),
  user: z.object({ email: z.string() }),
});
const Done = z.object({ organization_id: z.string() });
const Problem = z.object({ code: z.string(), detail: z.string() });

/** The API's steps from a sign-in to an organization. Each answer has the `csrfToken` of the next request. */
export function createOnboarding(api: string) {
  async function ask(path: string, accessToken: string, body?: object): Promise<unknown> {
    const answer = await fetch(`${api}/api/oauth/${path}`, {
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
      headers: { Authorization: `Bearer ${accessToken}`, 'Content-Type': 'application/json' },
    });
    const json: unknown = await answer.json();
    if (answer.ok) return json;
    const { code, detail } = Problem.parse(json);
    throw new Error(`${path}: ${code}. ${detail}`);
  }

  return {
    read: async (session: string, token: string) => Step.parse(await ask(`session/${session}`, token)),

    /** May be repeated: it completes what an earlier one began, and creates one organization. */
    createOrganization: async (session: string, token: string, csrf_token: string, name: string) =>
      Step.parse(await ask('create-org', token, { session, csrf_token, name })),

    consent: async (session: string, token: string, csrf_token: string) =>
      Done.parse(await ask('consent', token, { session, csrf_token, decision: 'approve' })),
  };
}
