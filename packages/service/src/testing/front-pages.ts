import type { RequestListener } from 'node:http';
import { z } from 'zod';
import { listen } from './http-server.ts';

const Home = z.object({ documents: z.array(z.object({ href: z.url() })) });
const Problem = z.object({ type: z.string(), title: z.string() });

/**
 * Checks what a service shows visitors of its address (`servicePages`), and returns the faults: documents on the front
 * page that are not public, and problems whose `type` does not lead to their explanation.
 * @param typeBase prefix of the `type` of its problems
 */
export async function frontPageFaults(app: RequestListener, typeBase: string): Promise<string[]> {
  const { url, stop } = await listen(app);
  try {
    const faults: string[] = [];
    const paths = Home.parse(await (await fetch(url)).json()).documents.map(
      ({ href }) => new URL(href).pathname,
    );
    if (!paths.includes('/errors')) faults.push('/errors is not named');
    for (const path of paths) {
      const { status } = await fetch(`${url}${path}`);
      if (status !== 200) faults.push(`${path} is answered with ${status}`);
    }
    const problem = Problem.parse(await (await fetch(`${url}/no/such/path`)).json());
    if (problem.type !== `${typeBase}/not_found`) faults.push(`the type of a problem is ${problem.type}`);
    const page = await fetch(`${url}/errors/not_found`, { headers: { Accept: 'text/html' } });
    if (
      !page.headers.get('content-type')?.startsWith('text/html') ||
      !(await page.text()).includes(problem.title)
    )
      faults.push(`${problem.type} does not lead to a page about it`);
    return faults;
  } finally {
    await stop();
  }
}
