import { Navigate } from '@tanstack/react-router'
import { roleHas } from '@troupe/contract'
import { Building2 } from 'lucide-react'
import { LinkButton } from '../atoms/controls/text-link.tsx'
import { Empty } from '../atoms/states/panels.tsx'
import { shellWords } from '../core/messages/en/shell.ts'
import { organizationPaths, SERVER_PATHS } from '../core/url/paths.ts'
import { lastOrganization } from '../infrastructure/preferences/preferences.ts'
import { useSignedIn } from '../infrastructure/sign-in/session.ts'

/** `/` leads to the organization that was open last, else to the first one. */
export function StartPage() {
  const { organizations } = useSignedIn()
  const last = organizations.find(({ slug }) => slug === lastOrganization.get())
  const target = last ?? organizations[0]
  if (target) {
    const paths = organizationPaths(target.slug)
    return <Navigate to={roleHas(target.role, 'read') ? paths.home : paths.reviews} replace />
  }
  return (
    <main>
      <Empty
        picture={<Building2 size={22} />}
        title={shellWords.noOrganization.title}
        actions={<LinkButton href={SERVER_PATHS.account}>{shellWords.yourAccount}</LinkButton>}
      >
        {shellWords.noOrganization.detail}
      </Empty>
    </main>
  )
}
