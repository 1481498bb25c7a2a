import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { toolsQuery } from '../../api/queries.ts';
import type { Tool } from '../../api/types.ts';
import { saysReadOnly } from '../../calls/hints.ts';
import { Checkbox, TextField } from '../../design/inputs.tsx';
import { Notice, Skeleton } from '../../design/states.tsx';
import { ToolLabel } from '../../design/untrusted.tsx';
import { t } from '../../text/en.ts';
import { Choices } from './choices.tsx';

/** Number of tools beyond which the picker can be searched */
const FOUND_FROM = 8;

interface ToolPickerProps {
  readonly connectorId: string;
  /** `null`: all tools, including future ones */
  readonly value: readonly string[] | null;
  onChange(tools: string[] | null): void;
}

/** The tools that the reader is offered, and bound tools that are not offered, such as a mistyped name. */
export function ToolPicker({ connectorId, value, onChange }: ToolPickerProps) {
  const query = useQuery(toolsQuery(connectorId));
  const [find, setFind] = useState('');
  if (query.isPending) return <Skeleton height="block" />;
  const offered = query.data ?? [];
  const names = offered.map(({ name }) => name);
  const missing = (value ?? []).filter((name) => !names.includes(name));
  const isFound = ({ name }: Tool) => name.toLowerCase().includes(find.trim().toLowerCase());
  const toggle = (name: string, on: boolean) =>
    onChange(on ? [...(value ?? []), name] : (value ?? []).filter((other) => other !== name));
  return (
    <Choices label={t.agents.tools}>
      <Checkbox
        label={t.agents.all}
        hint={t.agents.allHint}
        value={value === null}
        onChange={(all) => onChange(all ? null : names)}
      />
      {query.error && <Notice tone="warning">{t.agents.toolsUnknown}</Notice>}
      {value !== null && offered.length > FOUND_FROM && (
        <TextField
          hideLabel
          type="search"
          name="find-tool"
          label={t.agents.findTool}
          placeholder={t.agents.findTool}
          value={find}
          onChange={setFind}
          error={undefined}
        />
      )}
      {value !== null &&
        offered
          .filter(isFound)
          .map((tool) => (
            <Checkbox
              key={tool.name}
              label={<ToolLabel name={tool.name} />}
              hint={saysReadOnly(tool) ? t.connectors.readOnly : t.connectors.mayChange}
              value={value.includes(tool.name)}
              onChange={(on) => toggle(tool.name, on)}
            />
          ))}
      {missing.map((name) => (
        <Checkbox
          key={name}
          label={<ToolLabel name={name} />}
          error={query.error ? undefined : t.agents.notOffered}
          value
          onChange={() => toggle(name, false)}
        />
      ))}
    </Choices>
  );
}
