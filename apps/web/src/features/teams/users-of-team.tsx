import type { TeamDetails } from '@troupe/contract/builder'
import { UsersLine } from '../../parts/used-by/users-line.tsx'
import styles from './teams.module.css'

/** The resources that run a team, with links. */
export function UsersOfTeam({ usedBy }: Pick<TeamDetails, 'usedBy'>) {
  return (
    <span className={styles.users}>
      <UsersLine usedBy={usedBy} />
    </span>
  )
}
