import { Building2 } from 'lucide-react'
import { LinkButton } from '../../atoms/controls/text-link.tsx'
import { PageLayout } from '../../atoms/layout/page.tsx'
import { Empty } from '../../atoms/states/panels.tsx'
import { shellWords } from '../../core/messages/en/shell.ts'
import { shellStateWords } from '../../core/messages/en/shell-states.ts'
import { SERVER_PATHS } from '../../core/url/paths.ts'

/** For users who belong to no organization, or no longer do. */
export function NoOrganizationPage() {
  const { title, detail } = shellStateWords.noOrganization
  return (
    <main>
      <PageLayout title={title} isBare>
        <Empty
          look="page"
          picture={<Building2 size={22} />}
          title={title}
          actions={<LinkButton href={SERVER_PATHS.account}>{shellWords.yourAccount}</LinkButton>}
        >
          {detail}
        </Empty>
      </PageLayout>
    </main>
  )
}
