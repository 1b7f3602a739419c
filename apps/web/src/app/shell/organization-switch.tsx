import { ChevronsUpDown } from 'lucide-react'
import { BareButton } from '../../atoms/controls/bare-button.tsx'
import { ActionMenu } from '../../atoms/overlays/menu.tsx'
import { Avatar } from '../../atoms/states/panels.tsx'
import { shellWords } from '../../core/messages/en/shell.ts'
import { organizationPaths } from '../../core/url/paths.ts'
import { usePlace } from '../../infrastructure/session/session.ts'
import styles from './shell.module.css'

/** The organization of the page, and the others of the person. */
export function OrganizationSwitch() {
  const { session, membership } = usePlace()
  return (
    <ActionMenu
      label={shellWords.switchOrganization}
      placement="bottom start"
      trigger={
        <BareButton className={styles.switcher}>
          <span className="visually-hidden">{shellWords.organization}</span>
          <Avatar name={membership.name} shape="square" />
          <span className={styles.switcherName}>{membership.name}</span>
          <ChevronsUpDown size={14} className={styles.muted} />
        </BareButton>
      }
      groups={[
        {
          id: 'organizations',
          entries: session.organizations.map(({ organizationId, name, slug, role }) => ({
            id: organizationId,
            label: name,
            detail: role,
            icon: <Avatar name={name} shape="square" />,
            href: organizationPaths(slug).home,
            isChecked: organizationId === membership.organizationId,
          })),
        },
      ]}
    />
  )
}
