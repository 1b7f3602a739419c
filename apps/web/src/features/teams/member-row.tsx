import type { TeamConfig } from '@troupe/contract'
import { ArrowDown, ArrowUp, TriangleAlert, X } from 'lucide-react'
import { useEffect } from 'react'
import { Button } from '../../atoms/controls/button.tsx'
import { TextField } from '../../atoms/controls/text-field.tsx'
import { TextLink } from '../../atoms/controls/text-link.tsx'
import { Badge } from '../../atoms/states/badge.tsx'
import { Avatar } from '../../atoms/states/panels.tsx'
import { teamPageWords } from '../../core/messages/en/teams.ts'
import { memberNotes } from '../../core/teams/member-notes.ts'
import { useOperation } from '../../infrastructure/queries/use-operation.ts'
import { usePlace } from '../../infrastructure/session/session.ts'
import type { TeamForm } from './team-form.ts'
import styles from './teams.module.css'
import type { AgentNames } from './use-agent-names.ts'

const words = teamPageWords.members
const LONGEST_ROLE = 2_000

export interface MemberRowProps {
  index: number
  count: number
  member: TeamConfig['members'][0]
  form: TeamForm
  names: AgentNames
  onMove(by: 1 | -1): void
  onRemove(): void
}

/** One member: who, what for, and what may surprise about it. */
export function MemberRow({ index, count, member, form, names, onMove, onRemove }: MemberRowProps) {
  const { change, errorAt, isReadOnly } = form
  const path = `members.${index}`
  const name = names.nameOf(member.agent)
  return (
    <li className={styles.member} data-setting={`config.${path}`}>
      <code className={styles.key}>{`m${index + 1}`}</code>
      <div className={styles.memberBody}>
        <AgentLine agentId={member.agent} names={names} error={errorAt(`${path}.agent`)} />
        <TextField
          label={words.role(name)}
          isLabelHidden
          placeholder={words.rolePlaceholder}
          value={member.role ?? ''}
          onChange={(role) => change(`${path}.role`, role === '' ? null : role)}
          maxLength={LONGEST_ROLE}
          isReadOnly={isReadOnly}
          error={errorAt(`${path}.role`)}
        />
      </div>
      {!isReadOnly && (
        <div className={styles.memberButtons}>
          <Button
            emphasis="quiet"
            size="small"
            icon={<ArrowUp size={14} />}
            aria-label={words.up(name)}
            isDisabled={index === 0}
            onPress={() => onMove(-1)}
          />
          <Button
            emphasis="quiet"
            size="small"
            icon={<ArrowDown size={14} />}
            aria-label={words.down(name)}
            isDisabled={index === count - 1}
            onPress={() => onMove(1)}
          />
          <Button
            emphasis="quiet"
            size="small"
            icon={<X size={14} />}
            aria-label={words.remove(name)}
            onPress={onRemove}
          />
        </div>
      )}
    </li>
  )
}

/** An agent of a team with its state, and what it lacks in a team. */
export function AgentLine({
  agentId,
  names,
  error,
}: {
  agentId: string
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
