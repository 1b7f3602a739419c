import { TextLink } from '../../atoms/controls/text-link.tsx'
import { Card, Section } from '../../atoms/layout/page.tsx'
import { accountWords as words } from '../../core/messages/en/account.ts'
import { settingsWords } from '../../core/messages/en/settings/settings.ts'
import { organizationPaths } from '../../core/url/paths.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import styles from './account.module.css'

/** The organizations of the person, each with their role in it. */
export function OrganizationList() {
  const { session, membership } = usePlace()
  return (
    <Section title={words.organizations}>
      <Card flush>
        <ul className={styles.rows}>
          {session.organizations.map(({ organizationId, name, slug, role }) => (
            <li key={organizationId} className={styles.row}>
              <span className={styles.texts}>
                <TextLink href={organizationPaths(slug).home}>{name}</TextLink>
                <span className={styles.detail}>{settingsWords.members.roles[role].label}</span>
              </span>
              {organizationId === membership.organizationId && (
                <span className={styles.detail}>{words.here}</span>
              )}
            </li>
          ))}
        </ul>
      </Card>
    </Section>
  )
}
