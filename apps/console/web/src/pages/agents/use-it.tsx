import type { Agent } from '../../api/types.ts';
import { CodeBlock } from '../../design/copy.tsx';
import { Section, Stack } from '../../design/layout.tsx';
import { Notice } from '../../design/states.tsx';
import { useConfig } from '../../session/session.tsx';
import { t } from '../../text/en.ts';
import { snippetsOf } from './snippets.ts';

/** Explains how an MCP client acts through the agent. */
export function UseIt({ agent: { id, status } }: { readonly agent: Agent }) {
  const { tool_hub_url: hubUrl = 'https://hub.example' } = useConfig();
  const { json, claude } = snippetsOf(hubUrl, id);
  return (
    <Section title={t.agents.use} description={t.agents.useText}>
      <Stack>
        {status !== 'active' && <Notice tone="warning">{t.agents.useInactive}</Notice>}
        <CodeBlock label={t.agents.useJson} code={json} />
        <CodeBlock label={t.agents.useClaude} code={claude} />
      </Stack>
    </Section>
  );
}
