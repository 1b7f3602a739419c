import type { ErrorComponentProps } from '@tanstack/react-router'
import { Button } from '../../atoms/controls/button.tsx'
import { PageLayout } from '../../atoms/layout/page.tsx'
import { ErrorPanel } from '../../atoms/states/panels.tsx'
import { shellWords } from '../../core/messages/en/shell.ts'
import { isMissingPart } from '../../infrastructure/client/missing-parts.ts'
import { loadAnew } from '../../infrastructure/routing/load-anew.ts'

/** Replaces a page that threw while rendering, or whose code could not be loaded. */
export function CrashedPage({ error, reset }: ErrorComponentProps) {
  // A part that failed to load stays failed for the life of the page.
  if (isMissingPart(error)) {
    const { title, detail, action } = shellWords.missingPart
    return (
      <PageLayout title={title}>
        <ErrorPanel
          title={title}
          message={detail}
          actions={
            <Button size="small" onPress={() => loadAnew(window.location.href)}>
              {action}
            </Button>
          }
        />
      </PageLayout>
    )
  }
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
