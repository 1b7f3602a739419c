import { UserRoundX } from 'lucide-react'
import { LinkButton } from '../../atoms/controls/text-link.tsx'
import { PageLayout } from '../../atoms/layout/page.tsx'
import { Empty } from '../../atoms/states/panels.tsx'
import { shellStateWords } from '../../core/messages/en/shell-states.ts'

/**
 * The URL of an organization without a membership of the user. Its existence is not revealed, so a wrong URL and a suspended or
 * ended membership show the same page.
 */
export function NoMembershipPage() {
  const { title, detail, home } = shellStateWords.noMembership
  return (
    <main>
      <PageLayout title={title} isBare>
        <Empty
          look="page"
          picture={<UserRoundX size={22} />}
          title={title}
          actions={
            <LinkButton href="/" emphasis="primary">
              {home}
            </LinkButton>
          }
        >
          {detail}
        </Empty>
      </PageLayout>
    </main>
  )
}
