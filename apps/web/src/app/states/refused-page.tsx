import { ShieldX } from 'lucide-react'
import { LinkButton } from '../../atoms/controls/text-link.tsx'
import { PageLayout } from '../../atoms/layout/page.tsx'
import { Empty } from '../../atoms/states/panels.tsx'
import { shellStateWords } from '../../core/messages/en/shell-states.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'

/** Replaces a page that the user's role may not open. */
export function RefusedPage() {
  const { paths } = usePlace()
  const { title, detail, action } = shellStateWords.refused
  return (
    <PageLayout title={title} isBare>
      <Empty
        look="page"
        picture={<ShieldX size={22} />}
        title={title}
        actions={
          <LinkButton href={paths.reviews} emphasis="primary">
            {action}
          </LinkButton>
        }
      >
        {detail}
      </Empty>
    </PageLayout>
  )
}
