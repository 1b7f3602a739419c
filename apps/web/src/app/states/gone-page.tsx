import { FileQuestion } from 'lucide-react'
import { LinkButton } from '../../atoms/controls/text-link.tsx'
import { PageLayout } from '../../atoms/layout/page.tsx'
import { Empty } from '../../atoms/states/panels.tsx'
import { shellWords } from '../../core/messages/en/shell.ts'
import { shellStateWords } from '../../core/messages/en/shell-states.ts'
import { SearchAction } from '../../parts/gone/search-action.tsx'

/** The page for an unknown URL. */
export function GonePage() {
  const { title, detail } = shellStateWords.gone
  return (
    <PageLayout title={title} isBare>
      <Empty
        look="page"
        picture={<FileQuestion size={22} />}
        title={title}
        actions={
          <>
            <LinkButton href="/" emphasis="primary">
              {shellWords.toHome}
            </LinkButton>
            <SearchAction />
          </>
        }
      >
        {detail}
      </Empty>
    </PageLayout>
  )
}
