import type { AgentDetails } from '@troupe/contract/builder'
import { TextLink } from '../../atoms/controls/text-link.tsx'
import { listWords } from '../../core/messages/en/lists.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'

const MOST_SHOWN = 4

/** The first users of an agent or a team, with links, in a line that its place lays out. */
export function UsersLine({ usedBy }: Pick<AgentDetails, 'usedBy'>) {
  const { paths } = usePlace()
  const hrefOf = { agent: paths.agent, team: paths.team, workflow: paths.workflow }
  return (
    <>
      {listWords.usedBy}
      {usedBy.slice(0, MOST_SHOWN).map(({ kind, id, name }) => (
        <TextLink key={`${kind} ${id}`} href={hrefOf[kind](id)}>
          {name}
        </TextLink>
      ))}
      {usedBy.length > MOST_SHOWN && <span>{listWords.andMore(usedBy.length - MOST_SHOWN)}</span>}
    </>
  )
}
