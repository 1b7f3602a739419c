import type { TeamConfig } from '@troupe/contract'
import { useRef, useState } from 'react'
import { focusNext } from '../../atoms/focus/focus-next.ts'
import { withoutList } from '../../atoms/focus/without-list.ts'
import { Callout } from '../../atoms/states/panels.tsx'
import { teamPageWords } from '../../core/messages/en/teams/page.ts'
import { SettingFrame } from '../../parts/config-form/setting-frame.tsx'
import { EditorSection } from '../../parts/editor-section/editor-section.tsx'
import { AgentPicker } from './agent-picker.tsx'
import { MemberRow } from './member-row.tsx'
import type { TeamForm } from './team-form.ts'
import styles from './teams.module.css'
import type { AgentNames } from './use-agent-names.ts'

const words = teamPageWords.members

/** The members in the order of the lead's prompt. */
export function MembersSection({ form, names }: { form: TeamForm; names: AgentNames }) {
  const { config, set, errorAt, isReadOnly, projectId } = form
  const { members } = config
  const [said, setSaid] = useState('')
  const list = useRef<HTMLOListElement>(null)
  const move = (index: number, by: 1 | -1) => {
    const order = [...members]
    const [member] = order.splice(index, 1)
    if (!member) return
    order.splice(index + by, 0, member)
    set('members', order)
    // A moved row changes its position in the document, which removes the focus from its button.
    focusNext(() => moveButton(list.current, index + by, by))
    setSaid(words.moved(names.nameOf(member.agent), index + by + 1))
  }
  const remove = (index: number) => {
    const removed = members[index]?.agent
    set(
      'members',
      members.filter((_, place) => place !== index),
    )
    if (removed === config.fallback_member) set('fallback_member', null)
    focusNext(() => {
      const rows = list.current?.children
      const next = rows?.[index] ?? rows?.[index - 1]
      const field = (next ?? list.current?.closest('section'))?.querySelector('input')
      return field && withoutList(field)
    })
  }
  return (
    <EditorSection
      id="members"
      title={words.title}
      detail={words.detail}
      isChanged={form.isSectionChanged('members')}
      end={<CountMark count={members.length} />}
    >
      {members.length === 0 && <p className={styles.quiet}>{words.none}</p>}
      <SettingFrame form={form} path="members">
        <ol className={styles.members} aria-label={words.list} ref={list}>
          {members.map((member, index) => (
            <MemberRow
              key={member.agent}
              index={index}
              count={members.length}
              member={member}
              form={form}
              names={names}
              onMove={(by) => move(index, by)}
              onRemove={() => remove(index)}
            />
          ))}
        </ol>
      </SettingFrame>
      <div role="status" className="visually-hidden">
        {said}
      </div>
      {errorAt('members') && <Callout tone="bad">{errorAt('members')}</Callout>}
      {!isReadOnly && (
        <AgentPicker
          label={words.add}
          projectId={projectId}
          taken={takenAgents(config)}
          onChoose={(agent) => {
            names.note(agent)
            set('members', [...members, { agent: agent.agentId, role: null }])
          }}
        />
      )}
    </EditorSection>
  )
}

/** The same button of the moved row, or the other one if the row cannot move further. */
function moveButton(list: HTMLOListElement | null, index: number, by: 1 | -1): Element | undefined {
  const [up, down] = list?.children[index]?.querySelectorAll('button') ?? []
  const [wanted, other] = by === -1 ? [up, down] : [down, up]
  return wanted?.disabled ? other : wanted
}

function CountMark({ count }: { count: number }) {
  return <span className={styles.quiet}>{words.count(count)}</span>
}

/** The reason why an agent can't become a member, by its id. */
function takenAgents({ lead, members }: Pick<TeamConfig, 'lead' | 'members'>): Map<string, string> {
  const taken = new Map<string, string>(members.map(({ agent }) => [agent, words.already]))
  if ('agent' in lead) taken.set(lead.agent, words.leads)
  return taken
}
