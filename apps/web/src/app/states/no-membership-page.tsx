import { UserRoundX } from 'lucide-react'
import { LinkButton } from '../../atoms/controls/text-link.tsx'
import { PageLayout } from '../../atoms/layout/page.tsx'
import { Empty } from '../../atoms/states/panels.tsx'
import { shellWords } from '../../core/messages/en/shell.ts'

/**
 * An address of an organization to which the person does not belong. Whether it exists is not told to strangers, so that the
 * same page stands for a wrong address and for a membership that was suspended or has ended.
 */
export function NoMembershipPage() {
  const { title, detail, home } = shellWords.noMembership
  return (
    <main>
      <PageLayout title={title}>
        <Empty
          look="place"
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
