import { Download } from 'lucide-react';
import { useState } from 'react';
import { ApiProblem, hasCode } from '../../api/problem.ts';
import { Button } from '../../design/button.tsx';
import { Notice, Problem } from '../../design/states.tsx';
import { useRight } from '../../session/session.tsx';
import { t } from '../../text/en.ts';
import { exportAddress } from './queries.ts';
import type { AuditSearch } from './search.ts';

/** Exports the events of the current range and filters; the audit trail records the export. */
export function ExportButton({ search }: { readonly search: AuditSearch }) {
  const right = useRight('audit:export');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>();
  const save = () => {
    setBusy(true);
    setProblem(undefined);
    saveCsv(search)
      .catch(setProblem)
      .finally(() => setBusy(false));
  };
  return (
    <>
      {problem !== undefined &&
        (hasCode(problem, 'service_answer_unusable') ? (
          <Notice tone="warning">{t.audit.exportTooLarge}</Notice>
        ) : (
          <Problem problem={problem} />
        ))}
      <Button
        icon={Download}
        unavailable={right.reason}
        busy={busy}
        title={t.audit.exportTakes}
        onClick={save}
      >
        {t.audit.exportCsv}
      </Button>
    </>
  );
}

/** Downloads the CSV by `fetch`, since a link cannot send the header `Legate-Console` that the backend requires. */
async function saveCsv(search: AuditSearch): Promise<void> {
  const response = await fetch(exportAddress(search), { headers: { 'Legate-Console': '1' } });
  if (!response.ok) {
    const document = await response.json().catch(() => ({}));
    throw new ApiProblem(response.status, document, response.headers, t.problem.unexpected);
  }
  const address = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = address;
  link.download = t.audit.exportFile;
  link.click();
  URL.revokeObjectURL(address);
}
