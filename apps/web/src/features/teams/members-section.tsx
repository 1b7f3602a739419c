import type { TeamConfig } from '@troupe/contract'
import { useEffect, useRef, useState } from 'react'
import { Card, Section } from '../../atoms/layout/page.tsx'
import { Callout } from '../../atoms/states/panels.tsx'
import { teamPageWords } from '../../core/messages/en/teams/page.ts'
import { SettingFrame } from '../../parts/config-form/setting-frame.tsx'
import { AgentPicker } from './agent-picker.tsx'
import { MemberRow } from './member-row.tsx'
import type { TeamForm } from './team-form.ts'
import styles from './teams.module.css'
import type { AgentNames } from './use-agent-names.ts'

const words = teamPageWords.members

/** The members in the order in which the lead sees them. */
export function MembersSection({ form, names }: { form: TeamForm; names: AgentNames }) {
  const { config, set, errorAt, isReadOnly, projectId } = form
  const { members } = config
  const [said, setSaid] = useState('')
  const list = useRef<HTMLOListElement>(null)
  const moved = useRef<{ index: number; by: 1 | -1 } | null>(null)
  // A moved row is another place in the document, which takes the focus from its button.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus follows the members
  useEffect(() => {
    if (moved.current) focusMove(list.current, moved.current)
    moved.current = null
  }, [members])
  const move = (index: number, by: 1 | -1) => {
    const order = [...members]
    const [member] = order.splice(index, 1)
    if (!member) return
    order.splice(index + by, 0, member)
    moved.current = { index: index + by, by }
    set('members', order)
    setSaid(words.moved(names.nameOf(member.agent), index + by + 1))
  }
  const remove = (index: number) => {
    const removed = members[index]?.agent
    set(
      'members',
      members.filter((_, place) => place !== index),
    )
    if (removed === config.fallback_member) set('fallback_member', null)
    // The focus must not fall to the page: it goes to the next member.
    const rows = list.current?.children
    const next = rows?.[index + 1] ?? rows?.[index - 1]
    next?.querySelector('input')?.focus()
  }
  return (
    <Section title={words.title} detail={words.detail} actions={<CountMark count={members.length} />}>
      <Card>
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
      </Card>
    </Section>
  )
}

/** The same button of the moved row, or the other one where the row cannot go further. */
function focusMove(list: HTMLOListElement | null, { index, by }: { index: number; by: 1 | -1 }): void {
  const buttons = [...(list?.children[index]?.querySelectorAll('button') ?? [])]
  const [up, down] = buttons
  const wanted = by === -1 ? up : down
  const other = by === -1 ? down : up
  if (wanted?.disabled) other?.focus()
  else wanted?.focus()
}

function CountMark({ count }: { count: number }) {
  return <span className={styles.quiet}>{words.count(count)}</span>
}

/** Why an agent cannot become a member, by its id. */
function takenAgents({ lead, members }: Pick<TeamConfig, 'lead' | 'members'>): Map<string, string> {
  const taken = new Map<string, string>(members.map(({ agent }) => [agent, words.already]))
  if ('agent' in lead) taken.set(lead.agent, words.leads)
  return taken
}
