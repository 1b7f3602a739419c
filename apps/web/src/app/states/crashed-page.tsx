import type { ErrorComponentProps } from '@tanstack/react-router'
import { PageLayout } from '../../atoms/layout/page.tsx'
import { ErrorPanel } from '../../atoms/states/panels.tsx'
import { shellWords } from '../../core/messages/en/shell.ts'

/** In place of a page that threw while it was shown, or whose code could not be loaded. */
export function CrashedPage({ error, reset }: ErrorComponentProps) {
  return (
    <PageLayout title={shellWords.crashed}>
      <ErrorPanel
        title={shellWords.crashedDetail}
        message={error instanceof Error ? error.message : String(error)}
        onRetry={reset}
      />
    </PageLayout>
  )
}
