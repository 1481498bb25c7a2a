import { Link } from '@tanstack/react-router';
import { FileQuestion } from 'lucide-react';
import { ApiProblem } from '../api/problem.ts';
import { Button, buttonClass } from '../design/button.tsx';
import { CodeBlock } from '../design/copy.tsx';
import { Page } from '../design/layout.tsx';
import { Empty, Problem } from '../design/states.tsx';
import { t } from '../text/en.ts';

export function NotFound() {
  return (
    <Page title={t.problem.notFound}>
      <Empty
        icon={FileQuestion}
        action={
          <Link to="/" className={buttonClass('primary')}>
            {t.problem.toHome}
          </Link>
        }
      >
        {t.problem.notFoundDetail}
      </Empty>
    </Page>
  );
}

/** Replaces a page that threw an error; the shell stays. */
export function Crashed({ error, reset }: { readonly error: unknown; reset(): void }) {
  if (error instanceof ApiProblem)
    return (
      <Page title={t.problem.crashed} heading={error.title}>
        <Problem problem={error} onRetry={reset} />
      </Page>
    );
  return (
    <Page
      title={t.problem.crashed}
      actions={<Button onClick={() => window.location.reload()}>{t.problem.reload}</Button>}
    >
      <p>{t.problem.crashedDetail}</p>
      <CodeBlock label={t.problem.crashed} code={String(error)} />
    </Page>
  );
}
