import { ChevronsUpDown, Folder, Folders } from 'lucide-react'
import { DeferredMenu } from '../../atoms/overlays/deferred-menu.tsx'
import { Avatar } from '../../atoms/states/panels.tsx'
import { shellWords } from '../../core/messages/en/shell.ts'
import { organizationPaths } from '../../core/url/paths.ts'
import { useProjects } from '../../infrastructure/queries/use-whole-list.ts'
import { useGoTo } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import styles from './shell.module.css'

/** The organization of the page, and the user's other organizations. */
export function OrganizationSwitch() {
  const { session, membership, projectId, may } = usePlace()
  const goTo = useGoTo()
  const projects = useProjects({ isEnabled: may('read') })
  const known = projects.data ?? []
  const project = known.find((one) => one.projectId === projectId)
  const choose = (id: string | null) => goTo(organizationPaths(membership.slug, id).home)
  return (
    <DeferredMenu
      label={shellWords.switchOrganization}
      placement="bottom start"
      className={styles.organization}
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
        ...(known.length === 0
          ? []
          : [
              {
                id: 'projects',
                title: shellWords.project,
                entries: [
                  {
                    id: 'all',
                    label: shellWords.allProjects,
                    icon: <Folders size={16} />,
                    isChecked: projectId === null,
                    onAction: () => choose(null),
                  },
                  ...known.map(({ projectId: id, name }) => ({
                    id,
                    label: name,
                    icon: <Folder size={16} />,
                    isChecked: id === projectId,
                    onAction: () => choose(id),
                  })),
                ],
              },
            ]),
      ]}
    >
      <span className="visually-hidden">{shellWords.organization}</span>
      <Avatar name={membership.name} shape="square" />
      <span className={styles.switcherName}>
        {membership.name}
        {project && <span className={styles.muted}> / {project.name}</span>}
      </span>
      <ChevronsUpDown size={14} className={styles.muted} />
    </DeferredMenu>
  )
}
