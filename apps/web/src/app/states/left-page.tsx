import { UserRoundX } from 'lucide-react'
import { LinkButton } from '../../atoms/controls/text-link.tsx'
import { PageLayout } from '../../atoms/layout/page.tsx'
import { Empty } from '../../atoms/states/panels.tsx'
import { shellStateWords } from '../../core/messages/en/shell-states.ts'

export interface LeftPageProps {
  /** The name of the organization. */
  organization: string
  /** Members who may restore the user's access, as far as the page knows. */
  managers: readonly string[]
}

/** The organization was open, and the user has lost the membership in the meantime. */
export function LeftPage({ organization, managers }: LeftPageProps) {
  const { title, detail, ask, home } = shellStateWords.left
  return (
    <main>
      <PageLayout title={title(organization)} isBare>
        <Empty
          look="page"
          picture={<UserRoundX size={22} />}
          title={title(organization)}
          actions={
            <LinkButton href="/" emphasis="primary">
              {home}
            </LinkButton>
          }
        >
          {detail} {ask(managers.join(', '))}
        </Empty>
      </PageLayout>
    </main>
  )
}
