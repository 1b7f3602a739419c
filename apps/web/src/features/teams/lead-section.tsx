import type { AgentId, IdText, TeamConfig } from '@troupe/contract'
import type { RefObject } from 'react'
import { RadioGroup } from '../../atoms/controls/choices.tsx'
import { Callout } from '../../atoms/states/panels.tsx'
import { teamPageWords } from '../../core/messages/en/teams/page.ts'
import { SettingFrame } from '../../parts/config-form/setting-frame.tsx'
import { EditorSection } from '../../parts/editor-section/editor-section.tsx'
import { InstructionsField } from '../../parts/instructions/instructions-field.tsx'
import { ModelChainFields } from '../../parts/model-chain/model-chain.tsx'
import { AgentLine } from './agent-line.tsx'
import { AgentPicker } from './agent-picker.tsx'
import type { TeamForm, Withheld } from './team-form.ts'
import styles from './teams.module.css'
import type { AgentNames } from './use-agent-names.ts'

const words = teamPageWords.lead

export interface LeadSectionProps {
  form: TeamForm
  saved: TeamConfig
  names: AgentNames
  withheld: RefObject<Withheld>
}

/** The lead: a model of the team's own, or one of the agents. */
export function LeadSection({ form, saved, names, withheld }: LeadSectionProps) {
  const { config, errorAt, isReadOnly } = form
  const { lead, members, mode, fallback_member: fallback } = config
  const kind = 'agent' in lead ? 'agent' : 'managed'
  // Switching back restores the settings of the other kind.
  for (const one of [saved.lead, lead]) {
    if ('agent' in one) withheld.current.agent = one.agent
    else withheld.current.managed = one
  }
  // The members removed with a leading agent are restored when it no longer leads.
  const giveBack = () => {
    const back = withheld.current.member
    withheld.current.member = null
    if (back === null || members.some(({ agent }) => agent === back.member.agent))
      return { members, fallback }
    return {
      members: members.toSpliced(back.index, 0, back.member),
      fallback: back.isFallback && fallback === null ? back.member.agent : fallback,
    }
  }
  const setMembers = (next: { members: typeof members; fallback: typeof fallback }) => {
    if (next.members !== members) form.set('members', next.members)
    if (next.fallback !== fallback) form.set('fallback_member', next.fallback)
  }
  const promote = (agentId: IdText<AgentId>) => {
    const before = giveBack()
    form.set('lead', { agent: agentId })
    const index = before.members.findIndex(({ agent }) => agent === agentId)
    const member = before.members[index]
    if (member === undefined) return setMembers(before)
    // The lead is not listed among its members.
    const isFallback = before.fallback === agentId
    withheld.current.member = { member, index, isFallback }
    setMembers({
      members: before.members.toSpliced(index, 1),
      fallback: isFallback ? null : before.fallback,
    })
  }
  const candidate = withheld.current.agent ?? members[0]?.agent ?? null
  const choose = (next: typeof kind) => {
    if (next === kind) return
    if (next === 'managed') {
      form.set('lead', withheld.current.managed ?? { managed: {} })
      setMembers(giveBack())
    } else if (candidate !== null) promote(candidate)
  }
  return (
    <EditorSection
      id="lead"
      title={words.title}
      detail={words.detail}
      isChanged={form.isSectionChanged('lead')}
    >
      <SettingFrame form={form} path="lead">
        <RadioGroup
          label={words.kind}
          isLabelHidden
          value={kind}
          onChange={choose}
          isDisabled={isReadOnly}
          error={errorAt('lead')}
          options={[
            { id: 'managed', label: words.managed, detail: words.managedDetail },
            {
              id: 'agent',
              label: words.promoted,
              detail: words.promotedDetail,
              isDisabled: candidate === null,
            },
          ]}
        />
      </SettingFrame>
      {'agent' in lead ? (
        <PromotedLead form={form} agentId={lead.agent} names={names} onPromote={promote} />
      ) : (
        <ManagedLead form={form} instructions={lead.managed.instructions} />
      )}
      {'agent' in lead && mode === 'parallel' && members.length === 1 && (
        <Callout tone="warn">{words.alone}</Callout>
      )}
    </EditorSection>
  )
}

interface PromotedLeadProps {
  form: TeamForm
  agentId: IdText<AgentId>
  names: AgentNames
  onPromote(agentId: IdText<AgentId>): void
}

function PromotedLead({ form, agentId, names, onPromote }: PromotedLeadProps) {
  const { config, projectId, errorAt, isReadOnly } = form
  return (
    <SettingFrame form={form} path="lead.agent">
      <div className={styles.promoted}>
        <AgentLine agentId={agentId} names={names} error={errorAt('lead.agent')} />
        <p className={styles.quiet}>{words.parts[config.mode]}</p>
        {!isReadOnly && (
          <AgentPicker
            label={words.agent}
            projectId={projectId}
            value={{ agentId, name: names.nameOf(agentId) }}
            onChoose={(agent) => {
              names.note(agent)
              onPromote(agent.agentId)
            }}
          />
        )}
      </div>
    </SettingFrame>
  )
}

function ManagedLead({ form, instructions = '' }: { form: TeamForm; instructions: string | undefined }) {
  const path = 'lead.managed.instructions'
  const { label = path, help } = form.wordsOf(path) ?? {}
  return (
    <>
      <SettingFrame form={form} path={path}>
        <InstructionsField
          label={label}
          description={help}
          value={instructions}
          onChange={(text) => form.set(path, text)}
          isReadOnly={form.isReadOnly}
          error={form.errorAt(path)}
          minLines={4}
        />
      </SettingFrame>
      <SettingFrame form={form} path="lead.managed.model">
        <h3 className={styles.model}>{words.model}</h3>
        <ModelChainFields form={form} at="lead.managed.model" projectId={form.projectId} />
      </SettingFrame>
    </>
  )
}
