import { Card, RowList, Section } from '../../atoms/layout/page.tsx'
import { Badge } from '../../atoms/states/badge.tsx'
import { Avatar } from '../../atoms/states/panels.tsx'
import { accountWords as words } from '../../core/messages/en/account.ts'
import { settingsWords } from '../../core/messages/en/settings/settings.ts'
import { organizationPaths } from '../../core/url/paths.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'

/** The user's organizations, each with their role in it. */
export function OrganizationList() {
  const { session, membership } = usePlace()
  return (
    <Section title={words.organizations}>
      <Card flush>
        <RowList
          label={words.organizations}
          rows={session.organizations.map(({ organizationId, name, slug, role }) => ({
            id: organizationId,
            title: name,
            lead: <Avatar id={organizationId} name={name} shape="square" />,
            detail: settingsWords.members.roles[role].label,
            end: organizationId === membership.organizationId ? <Badge>{words.here}</Badge> : null,
            href: organizationPaths(slug).home,
          }))}
        />
      </Card>
    </Section>
  )
}
