import { useQuery } from '@tanstack/react-query';
import { Play } from 'lucide-react';
import { type FormEvent, useMemo, useRef, useState } from 'react';
import { ApiProblem, hasCode } from '../api/problem.ts';
import { connectorAgentsQuery } from '../api/queries.ts';
import type { Tool } from '../api/types.ts';
import { Button } from '../design/button.tsx';
import { Select } from '../design/inputs.tsx';
import { Panel } from '../design/modal.tsx';
import { Notice, Problem } from '../design/states.tsx';
import { Tabs } from '../design/tabs.tsx';
import { Name, ToolName, Untrusted } from '../design/untrusted.tsx';
import { useSession } from '../session/session.tsx';
import { t } from '../text/en.ts';
import { isPlainToolName, nameText } from '../untrusted/reveal.ts';
import { type CallAnswer, callTool, type SentCall } from './call.ts';
import { CallResult } from './call-result.tsx';
import styles from './calls.module.css';
import { type ArgumentErrors, checkArguments, errorsWithin } from './check.ts';
import { ConfirmCall } from './confirm-call.tsx';
import { type Field, fieldsOf, initialOf, type Json, present } from './fields.ts';
import { saysReadOnly } from './hints.ts';
import { JsonField, SchemaField } from './schema-field.tsx';
import { WhyLink } from './why-link.tsx';

interface CallPanelProps {
  readonly connector: { readonly id: string; readonly name: string };
  readonly tool: Tool;
  onClose(): void;
}

/** Calls a tool as the reader. Arguments and results are kept only while the panel is open. */
export function CallPanel({ connector, tool, onClose }: CallPanelProps) {
  const call = useCall(connector.id, tool);
  const [view, setView] = useState<'form' | 'json'>(call.field.kind === 'object' ? 'form' : 'json');
  const { user } = useSession();
  const plain = call.field.kind === 'object' && call.field.members.length === 0;
  return (
    <Panel title={<ToolName name={tool.name} />} onClose={onClose}>
      <div>
        <p className="muted">
          <Name text={connector.name} />
          {t.common.dot}
          {t.calls.as} <Name text={user.name ?? user.email ?? user.id} />
        </p>
      </div>
      {!isPlainToolName(tool.name) && <Untrusted from={t.untrusted.toolServer} text={tool.name} />}
      {tool.description && <Untrusted from={t.untrusted.toolServer} text={tool.description} />}
      <p className="muted">{saysReadOnly(tool) ? t.calls.readOnly : t.calls.asksFirst}</p>
      <Through connectorId={connector.id} value={call.agentId} onChange={call.setAgentId} />
      <form
        ref={call.form}
        noValidate
        className={styles.members}
        onSubmit={call.submit}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) call.form.current?.requestSubmit();
        }}
      >
        {plain ? (
          <p className="muted">{t.calls.noArguments}</p>
        ) : (
          <Tabs
            label={t.calls.views}
            value={view}
            onChange={setView}
            tabs={[
              { name: 'form', label: t.calls.form },
              { name: 'json', label: t.calls.json },
            ]}
          >
            {view === 'form' ? (
              <SchemaField
                field={call.field}
                pointer=""
                value={call.value}
                errors={call.errors}
                onChange={call.setValue}
              />
            ) : (
              <JsonField
                name="json"
                label={t.calls.json}
                value={present(call.value)}
                error={errorsWithin(call.errors, '')}
                onChange={call.setValue}
              />
            )}
          </Tabs>
        )}
        <p>
          <Button type="submit" variant="primary" icon={Play} busy={call.busy}>
            {t.calls.call}
          </Button>
        </p>
      </form>
      {call.problem !== undefined && <CallProblem problem={call.problem} withoutErrors={!plain} />}
      {hasCode(call.problem, 'unreachable') && <Notice tone="warning">{t.calls.lost}</Notice>}
      {call.done && <CallResult {...call.done} />}
      {call.asking && (
        <ConfirmCall
          connector={connector}
          tool={tool.name}
          onCancel={call.cancel}
          onCall={() => void call.run()}
        />
      )}
    </Panel>
  );
}

/** Shows the error, with a link to its explanation: the audit trail also has an event for a refused call. */
function CallProblem(props: { readonly problem: unknown; readonly withoutErrors: boolean }) {
  const { problem } = props;
  const callId = problem instanceof ApiProblem ? problem.callId : undefined;
  return (
    <div>
      <Problem {...props} />
      {callId !== undefined && (
        <p className={styles.why}>
          <WhyLink callId={callId} />
        </p>
      )}
    </div>
  );
}

function useCall(connectorId: string, tool: Tool) {
  const field = useMemo<Field>(() => fieldsOf(tool.inputSchema), [tool.inputSchema]);
  const form = useRef<HTMLFormElement>(null);
  const [value, setValue] = useState<Json | undefined>(() => initialOf(field) ?? {});
  const [errors, setErrors] = useState<ArgumentErrors>(new Map());
  const [agentId, setAgentId] = useState<string>();
  const [state, setState] = useState<{
    done?: { readonly answer: CallAnswer; readonly sent: SentCall };
    problem?: unknown;
    busy?: boolean;
    asking?: boolean;
  }>({});
  const args = present(value) ?? {};

  function submit(event: FormEvent) {
    event.preventDefault();
    if (state.busy || form.current?.querySelector('[data-json-fault]')) return;
    const found =
      typeof args === 'object' && args !== null && !Array.isArray(args)
        ? checkArguments(tool.inputSchema, field, args, t.calls.missing)
        : new Map([['', t.calls.argumentsInvalid]]);
    fail(found);
    if (found.size > 0) return;
    if (saysReadOnly(tool)) void run();
    else setState({ asking: true });
  }

  async function run() {
    const sent = { connectorId, tool: tool.name, args, agentId };
    setState({ busy: true });
    try {
      setState({ done: { answer: await callTool(sent), sent } });
    } catch (problem) {
      setState({ problem });
      if (problem instanceof ApiProblem) fail(errorsOf(problem));
    }
  }

  /** Shows the errors, and moves the focus to the first control that has one. */
  function fail(found: ArgumentErrors) {
    setErrors(found);
    if (found.size > 0)
      requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus());
  }

  return {
    ...{ field, form, value, setValue, errors, agentId, setAgentId, submit, run },
    ...{
      done: state.done,
      problem: state.problem,
      busy: state.busy ?? false,
      asking: state.asking ?? false,
    },
    cancel: () => setState({}),
  };
}

/** Converts pointers: the hub's begin at the body, the form's at the arguments. */
const errorsOf = ({ errors }: ApiProblem): ArgumentErrors =>
  new Map(errors.map(({ pointer = '', detail }) => [pointer.replace(/^#?\/arguments/, ''), detail]));

interface ThroughProps {
  readonly connectorId: string;
  readonly value: string | undefined;
  onChange(agentId: string | undefined): void;
}

const AGENTS_AT_MOST = 100;

/**
 * Lets the reader choose how to call the tool: as themselves only, or through an agent that is bound to the
 * connector.
 */
function Through({ connectorId, value, onChange }: ThroughProps) {
  const { scopes } = useSession();
  const enabled = scopes.includes('agents:read');
  const bound = useQuery({ ...connectorAgentsQuery(connectorId, { limit: AGENTS_AT_MOST }), enabled });
  if (!bound.data || bound.data.data.length === 0) return null;
  const { data, pagination } = bound.data;
  return (
    <Select
      name="through"
      label={t.calls.through}
      hint={pagination.total > data.length ? t.common.listed(data.length, pagination.total) : undefined}
      value={value ?? ''}
      options={[
        { value: '', label: t.calls.alone },
        ...data.map(({ agent_id, agent_name }) => ({ value: agent_id, label: nameText(agent_name) })),
      ]}
      onChange={(next) => onChange(next === '' ? undefined : next)}
    />
  );
}
