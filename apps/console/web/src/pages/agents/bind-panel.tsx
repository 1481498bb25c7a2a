import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { api, management } from '../../api/client.ts';
import { agentConnectorQuery } from '../../api/queries.ts';
import type { AgentConnector, PlacedAgentConnector } from '../../api/types.ts';
import { FormPanel } from '../../design/form-modal.tsx';
import { Select } from '../../design/inputs.tsx';
import { Panel } from '../../design/modal.tsx';
import { Problem, Skeleton } from '../../design/states.tsx';
import { toast } from '../../design/toast.tsx';
import { useForm } from '../../forms/use-form.ts';
import { ResourceSelect } from '../../lists/resource-select.tsx';
import { t } from '../../text/en.ts';
import { ScopePicker } from './scope-picker.tsx';
import { ToolPicker } from './tool-picker.tsx';

const APPROVALS = (['write', 'always', 'never'] as const).map((value) => ({
  value,
  label: t.agents.approvals[value],
}));

interface BindPanelProps {
  readonly agentId: string;
  /** Connectors that are already bound to the agent: they are edited, not bound again */
  readonly bound: readonly string[];
  onClose(): void;
}

/** A panel that binds a further connector to an agent. */
export function BindPanel({ agentId, bound, onClose }: BindPanelProps) {
  const [connectorId, setConnectorId] = useState('');
  return (
    <BindingForm
      title={t.agents.bindTitle}
      agentId={agentId}
      connectorId={connectorId === '' ? undefined : connectorId}
      binding={undefined}
      onClose={onClose}
    >
      <ResourceSelect
        name="connector"
        label={t.agents.connector}
        path="/connectors"
        except={bound}
        placeholder={t.agents.connectorMissing}
        value={connectorId}
        onChange={setConnectorId}
      />
    </BindingForm>
  );
}

interface EditBindingProps {
  readonly agentId: string;
  readonly connectorId: string;
  onClose(): void;
}

/**
 * A panel that changes which tools and scopes of a connector an agent may use. The data does not change until
 * the reader reloads it.
 */
export function EditBinding({ agentId, connectorId, onClose }: EditBindingProps) {
  const query = useQuery({
    ...agentConnectorQuery(agentId, connectorId),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (query.data)
    return (
      <BindingForm
        title={t.agents.editTitle}
        agentId={agentId}
        connectorId={connectorId}
        binding={query.data}
        onReload={() => void query.refetch()}
        onClose={onClose}
      />
    );
  return (
    <Panel title={t.agents.editTitle} onClose={onClose}>
      {query.error ? (
        <Problem problem={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <Skeleton height="block" />
      )}
    </Panel>
  );
}

interface BindingFormProps {
  readonly title: string;
  readonly agentId: string;
  readonly connectorId: string | undefined;
  /** Undefined for a new binding */
  readonly binding: { readonly data: AgentConnector; readonly etag: string | undefined } | undefined;
  onClose(): void;
  readonly onReload?: () => void;
  /** Content above the fields */
  readonly children?: ReactNode;
}

/** The form for the tools and scopes of a connector that an agent may use. It saves the whole binding at once. */
function BindingForm({
  title,
  agentId,
  connectorId,
  binding,
  onClose,
  onReload,
  children,
}: BindingFormProps) {
  const client = useQueryClient();
  const form = useForm({
    version: binding?.etag,
    initial: {
      tools: binding === undefined ? ([] as string[] | null) : binding.data.tools,
      scopes: binding?.data.scopes ?? null,
      approval: binding?.data.approval ?? 'write',
    },
    send: async (body) => {
      if (connectorId === undefined) return;
      await api.send<PlacedAgentConnector>(management(`/agents/${agentId}/connectors/${connectorId}`), {
        method: 'PUT',
        // A new binding must not replace one that exists.
        ...(binding ? { ifMatch: binding.etag } : { ifAbsent: true }),
        body,
      });
      await client.invalidateQueries({ queryKey: ['api'] });
      toast(t.agents.bound);
      onClose();
    },
  });
  return (
    <FormPanel
      title={title}
      submit={t.agents.bindSave}
      form={form}
      unavailable={connectorId === undefined ? t.agents.connectorMissing : undefined}
      onClose={onClose}
      {...(onReload && { onReload })}
    >
      {children}
      {connectorId !== undefined && (
        <>
          <ToolPicker
            connectorId={connectorId}
            value={form.values.tools}
            onChange={form.field('tools').onChange}
          />
          <Entered {...form.field('tools')} />
          <ScopePicker
            connectorId={connectorId}
            value={form.values.scopes}
            onChange={form.field('scopes').onChange}
          />
          <Entered {...form.field('scopes')} />
        </>
      )}
      <Select
        label={t.agents.approval}
        hint={t.agents.approvalHint}
        options={APPROVALS}
        {...form.field('approval')}
      />
    </FormPanel>
  );
}

/** What the reader had chosen, if somebody else has saved another choice meanwhile. */
const Entered = ({ hint }: { readonly hint?: string }) =>
  hint !== undefined && <p className="muted">{hint}</p>;
