import type { AgentDetails } from '@troupe/contract/builder'
import { TextLink } from '../../atoms/controls/text-link.tsx'
import { agentEditorWords as words } from '../../core/messages/en/agents/agent-editor.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import styles from './editor/editor.module.css'

const SHOWN = 4

/** The teams and workflows that run an agent, with links, and the callers of a draft. */
export function UsersOfAgent({ usedBy, status }: Pick<AgentDetails, 'usedBy' | 'status'>) {
  const { paths } = usePlace()
  const note = status === 'draft' ? <span>{words.draftNote}</span> : null
  if (usedBy.length === 0) {
    return (
      <span className={styles.used}>
        <span>{words.notUsed}</span>
        {note}
      </span>
    )
  }
  const hrefOf = { agent: paths.agent, team: paths.team, workflow: paths.workflow }
  return (
    <span className={styles.used}>
      {words.usedBy}
      {usedBy.slice(0, SHOWN).map(({ kind, id, name }) => (
        <TextLink key={`${kind} ${id}`} href={hrefOf[kind](id)}>
          {name}
        </TextLink>
      ))}
      {usedBy.length > SHOWN && <span>{words.andMore(usedBy.length - SHOWN)}</span>}
      {note}
    </span>
  )
}
