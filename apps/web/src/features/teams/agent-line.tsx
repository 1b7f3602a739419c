import type { AgentId, IdText } from '@troupe/contract'
import { TriangleAlert } from 'lucide-react'
import { useEffect } from 'react'
import { TextLink } from '../../atoms/controls/text-link.tsx'
import { Badge } from '../../atoms/states/badge.tsx'
import { Avatar } from '../../atoms/states/panels.tsx'
import { modelsText } from '../../core/labels/models-text.ts'
import { teamPageWords } from '../../core/messages/en/teams/page.ts'
import { memberNotes } from '../../core/teams/member-notes.ts'
import { useOperation } from '../../infrastructure/queries/use-operation.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import styles from './teams.module.css'
import type { AgentNames } from './use-agent-names.ts'

const words = teamPageWords.members

/** An agent of a team with its status, and its missing requirements for the team. */
export function AgentLine({
  agentId,
  names,
  error,
}: {
  agentId: IdText<AgentId>
  names: AgentNames
  error: string | null
}) {
  const { paths } = usePlace()
  const agent = useOperation('getAgent', { params: { agentId } })
  const name = agent.data?.name ?? names.nameOf(agentId)
  const { note } = names
  const known = agent.data?.name
  useEffect(() => {
    if (known !== undefined) note({ agentId, name: known })
  }, [known, agentId, note])
  const status = agent.data?.status
  const notes = agent.data ? memberNotes(agent.data) : []
  return (
    <>
      <div className={styles.agentLine}>
        <Avatar name={name} shape="square" />
        <TextLink href={paths.agent(agentId)} look="plain">
          <strong>{name}</strong>
        </TextLink>
        {agent.data && <span className={styles.agentModel}>{modelsText(agent.data.models)}</span>}
        {status === 'draft' && <Badge tone="warn">{words.draftMark}</Badge>}
        {status === 'archived' && <Badge tone="bad">{words.archivedMark}</Badge>}
      </div>
      {error && <p className={styles.wrong}>{error}</p>}
      {notes.map((text) => (
        <p key={text} className={styles.warning}>
          <TriangleAlert size={14} aria-hidden="true" />
          <span>{text}</span>
        </p>
      ))}
    </>
  )
}
