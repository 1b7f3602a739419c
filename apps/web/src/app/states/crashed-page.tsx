import type { ErrorComponentProps } from '@tanstack/react-router'
import { TriangleAlert } from 'lucide-react'
import { Suspense } from 'react'
import { Button } from '../../atoms/controls/button.tsx'
import { LinkButton } from '../../atoms/controls/text-link.tsx'
import { PageLayout } from '../../atoms/layout/page.tsx'
import { lazyExtra } from '../../atoms/parts/lazy-part.ts'
import { Empty } from '../../atoms/states/panels.tsx'
import { shellWords as words } from '../../core/messages/en/shell.ts'
import { isMissingPart } from '../../infrastructure/client/missing-parts.ts'

const CrashDetails = lazyExtra(async () => (await import('./crash-details.tsx')).CrashDetails)

/** Replaces a page that threw while rendering, or whose code could not be loaded. */
export function CrashedPage({ error }: ErrorComponentProps) {
  // A part that failed to load stays failed for the life of the page.
  const isMissing = isMissingPart(error)
  const { title, detail } = isMissing ? words.missingPart : words.crashed
  return (
    <PageLayout title={title} isBare>
      <Empty
        look="page"
        picture={<TriangleAlert size={22} />}
        title={title}
        actions={
          <>
            <Button emphasis="primary" onPress={() => window.location.reload()}>
              {words.reload}
            </Button>
            <LinkButton href="/">{words.toHome}</LinkButton>
          </>
        }
      >
        {detail}
      </Empty>
      {!isMissing && (
        <Suspense>
          <CrashDetails error={error} />
        </Suspense>
      )}
    </PageLayout>
  )
}

/** The same outside of the frame: for errors of the frame itself. */
export function CrashedWindow(props: ErrorComponentProps) {
  return (
    <main>
      <CrashedPage {...props} />
    </main>
  )
}
