import { Navigate } from '@tanstack/react-router'
import { roleHas } from '@troupe/contract'
import { Suspense } from 'react'
import { lazyPart } from '../atoms/parts/lazy-part.ts'
import { organizationPaths } from '../core/url/paths.ts'
import { lastOrganization } from '../infrastructure/preferences/preferences.ts'
import { useSignedIn } from '../infrastructure/sign-in/session.ts'

// Few users see it.
const NoOrganizationPage = lazyPart(
  async () => (await import('./states/no-organization-page.tsx')).NoOrganizationPage,
)

/** `/` redirects to the last open organization, else to the first one. */
export function StartPage() {
  const { organizations } = useSignedIn()
  const last = organizations.find(({ slug }) => slug === lastOrganization.get())
  const target = last ?? organizations[0]
  if (target) {
    const paths = organizationPaths(target.slug)
    return <Navigate to={roleHas(target.role, 'read') ? paths.home : paths.reviews} replace />
  }
  return (
    <Suspense>
      <NoOrganizationPage />
    </Suspense>
  )
}
