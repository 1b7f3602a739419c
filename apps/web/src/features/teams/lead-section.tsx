import type { TeamConfig } from '@troupe/contract'
import { useRef } from 'react'
import { RadioGroup } from '../../atoms/controls/choices.tsx'
import { CodeField } from '../../atoms/code/code-field.tsx'
import { Card, Section } from '../../atoms/layout/page.tsx'
import { Callout } from '../../atoms/states/panels.tsx'
import { teamPageWords } from '../../core/messages/en/teams.ts'
import { AgentPicker } from './agent-picker.tsx'
import { LeadModel } from './lead-model.tsx'
import { AgentLine } from './member-row.tsx'
import type { TeamForm } from './team-form.ts'
import type { AgentNames } from './use-agent-names.ts'

const words = teamPageWords.lead

export interface LeadSectionProps {
  form: TeamForm
  saved: TeamConfig
  names: AgentNames
}

type Managed = Extract<TeamConfig['lead'], { managed: unknown }>

/** Who leads: a model of the team's own, or one of the agents. */
export function LeadSection({ form, saved, names }: LeadSectionProps) {
  const { config, change, errorAt, isReadOnly } = form
  const { lead, members, mode } = config
  const kind = 'agent' in lead ? 'agent' : 'managed'
  // What the other kind had comes back when the choice does.
  const managed = useRef<Managed | null>('managed' in saved.lead ? saved.lead : null)
  const promoted = useRef<string | null>('agent' in saved.lead ? saved.lead.agent : null)
  if ('managed' in lead) managed.current = lead
  else promoted.current = lead.agent
  const promote = (agentId: string) => {
    change('lead', { agent: agentId })
    // The lead is not listed among its members.
    change(
      'members',
      members.filter(({ agent }) => agent !== agentId),
    )
    if (config.fallback_member === agentId) change('fallback_member', null)
  }
  const choose = (next: typeof kind) => {
    if (next === kind) return
    if (next === 'managed') change('lead', managed.current ?? { managed: {} })
    else promote(promoted.current ?? members[0]?.agent ?? '')
  }
  return (
    <Section title={words.title} detail={words.detail}>
      <Card>
        <RadioGroup
          label={words.kind}
          isLabelHidden
          value={kind}
          onChange={choose}
          isDisabled={isReadOnly}
          options={[
            { id: 'managed', label: words.managed, detail: words.managedDetail },
            {
              id: 'agent',
              label: words.promoted,
              detail: words.promotedDetail,
              isDisabled: kind === 'managed' && promoted.current === null && members.length === 0,
            },
          ]}
        />
        {errorAt('lead') && <Callout tone="bad">{errorAt('lead')}</Callout>}
        {'agent' in lead ? (
          <PromotedLead form={form} agentId={lead.agent} names={names} onPromote={promote} />
        ) : (
          <ManagedLead form={form} lead={lead} />
        )}
        {'agent' in lead && mode === 'parallel' && members.length === 1 && (
          <Callout tone="warn">{words.alone}</Callout>
        )}
      </Card>
    </Section>
  )
}

function PromotedLead({
  form,
  agentId,
  names,
  onPromote,
}: {
  form: TeamForm
  agentId: string
  names: AgentNames
  onPromote(agentId: string): void
}) {
  const { config, projectId, errorAt, isReadOnly } = form
  return (
    <div data-setting="config.lead.agent">
      <AgentLine agentId={agentId} names={names} error={errorAt('lead.agent')} />
      <p>{words.parts[config.mode]}</p>
      {!isReadOnly && (
        <AgentPicker
          key={agentId}
          label={words.agent}
          projectId={projectId}
          taken={new Map()}
          value={{ agentId, name: names.nameOf(agentId) }}
          onChoose={(agent) => {
            names.note(agent)
            onPromote(agent.agentId)
          }}
        />
      )}
    </div>
  )
}

function ManagedLead({ form, lead: { managed } }: { form: TeamForm; lead: Managed }) {
  const { change, errorAt, isReadOnly } = form
  return (
    <>
      <div data-setting="config.lead.managed.instructions">
        <CodeField
          label={words.instructions}
          description={words.instructionsDetail}
          language="text"
          value={managed.instructions ?? ''}
          onChange={(text) => change('lead.managed.instructions', text)}
          isReadOnly={isReadOnly}
          error={errorAt('lead.managed.instructions')}
          minLines={4}
        />
      </div>
      <LeadModel form={form} managed={managed} />
    </>
  )
}
