import type { TeamDetails } from '@troupe/contract/builder'
import { TextLink } from '../../atoms/controls/text-link.tsx'
import { teamPageWords as words } from '../../core/messages/en/teams/page.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import styles from './teams.module.css'

const MOST_SHOWN = 4

/** The resources that run a team, with links. */
export function UsersOfTeam({ usedBy }: Pick<TeamDetails, 'usedBy'>) {
  const { paths } = usePlace()
  const hrefOf = { agent: paths.agent, team: paths.team, workflow: paths.workflow }
  return (
    <span className={styles.users}>
      {words.usedBy}
      {usedBy.slice(0, MOST_SHOWN).map(({ kind, id, name }) => (
        <TextLink key={`${kind} ${id}`} href={hrefOf[kind](id)}>
          {name}
        </TextLink>
      ))}
      {usedBy.length > MOST_SHOWN && <span>{words.andMore(usedBy.length - MOST_SHOWN)}</span>}
    </span>
  )
}
