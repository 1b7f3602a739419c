import type { TeamConfig } from '@troupe/contract'
import { ArrowDown, ArrowUp, X } from 'lucide-react'
import { Button } from '../../atoms/controls/button.tsx'
import { TextField } from '../../atoms/controls/text-field.tsx'
import { teamPageWords } from '../../core/messages/en/teams/page.ts'
import { settingElementId } from '../../parts/config-form/setting-element-id.ts'
import { AgentLine } from './agent-line.tsx'
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

/** One member: its agent, its purpose, and its unexpected properties. */
export function MemberRow({ index, count, member, form, names, onMove, onRemove }: MemberRowProps) {
  const { set, errorAt, isReadOnly } = form
  const path = `members.${index}`
  const name = names.nameOf(member.agent)
  return (
    <li className={styles.member} id={settingElementId(path)}>
      <code translate="no" className={styles.key}>{`m${index + 1}`}</code>
      <div className={styles.memberBody}>
        <AgentLine agentId={member.agent} names={names} error={errorAt(`${path}.agent`)} />
        <TextField
          label={words.role(name)}
          isLabelHidden
          placeholder={words.rolePlaceholder}
          value={member.role ?? ''}
          onChange={(role) => set(`${path}.role`, role === '' ? null : role)}
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
