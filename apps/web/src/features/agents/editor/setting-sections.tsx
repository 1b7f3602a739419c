import { type AgentId, type IdText, isJsonObject, type ProjectId } from '@troupe/contract'
import { Button } from '../../../atoms/controls/button.tsx'
import { TextLink } from '../../../atoms/controls/text-link.tsx'
import { agentSectionWords as words } from '../../../core/messages/en/agents/agent-sections.ts'
import { AGENT_SETTING_WORDS } from '../../../core/messages/en/agents/agent-settings.ts'
import { useLlmConfigurations } from '../../../infrastructure/queries/use-whole-list.ts'
import { usePlace } from '../../../infrastructure/sign-in/session.ts'
import { type ConfigForm, listAt, textAt } from '../../../parts/config-form/config-form.ts'
import { SettingField } from '../../../parts/config-form/setting-field.tsx'
import { SettingFrame, SettingGrid } from '../../../parts/config-form/setting-frame.tsx'
import { llmChoices } from '../../../parts/model-chain/llm-choices.ts'
import { KnowledgeBasePicker } from '../../../parts/pickers/knowledge-base-picker.tsx'
import { OptionPicker } from '../../../parts/pickers/option-picker.tsx'
import { type SkillChoice, SkillPicker } from '../../../parts/pickers/skill-picker.tsx'

export interface SettingSectionProps {
  form: ConfigForm
  agentId: IdText<AgentId>
  /** The project of the agent; null: it belongs to the organization. */
  projectId: IdText<ProjectId> | null
}

/** The searched knowledge bases, with the time and method of the search. */
export function KnowledgeSection({ form, projectId }: SettingSectionProps) {
  const path = 'knowledge.base_ids'
  const bases = listAt(form, path).map(String)
  return (
    <>
      <SettingFrame form={form} path={path}>
        <KnowledgeBasePicker
          label={AGENT_SETTING_WORDS[path].label}
          description={AGENT_SETTING_WORDS[path].help}
          value={bases}
          onChange={(ids) => form.set(path, ids)}
          projectId={projectId}
          error={form.errorAt(path)}
          isDisabled={form.isReadOnly}
        />
      </SettingFrame>
      {bases.length > 0 && (
        <>
          <SettingField form={form} path="knowledge.mode" look="radio" />
          <SettingField form={form} path="knowledge.cite" />
          <SettingGrid>
            <SettingField form={form} path="knowledge.top_k" />
            <SettingField form={form} path="knowledge.min_score" />
            <RerankField form={form} projectId={projectId} />
          </SettingGrid>
          <SettingField form={form} path="knowledge.filters" />
        </>
      )}
    </>
  )
}

const NONE = 'none'

function RerankField({ form, projectId }: Pick<SettingSectionProps, 'form' | 'projectId'>) {
  const path = 'knowledge.rerank_llm_config_id'
  const asked = useLlmConfigurations()
  const chosen = textAt(form, path)
  const known = llmChoices(asked.data ?? [], projectId).all
  const options = known.map(({ llmConfigId, name, providerId }) => ({
    id: llmConfigId,
    label: name,
    detail: providerId,
  }))
  const isListed = chosen === '' || options.some(({ id }) => id === chosen)
  return (
    <SettingFrame form={form} path={path}>
      <OptionPicker
        label={AGENT_SETTING_WORDS[path].label}
        description={AGENT_SETTING_WORDS[path].help}
        value={chosen === '' ? NONE : chosen}
        onChange={(id) => form.set(path, id === NONE ? null : id)}
        options={[
          { id: NONE, label: words.noRerank },
          ...options,
          ...(isListed ? [] : [{ id: chosen, label: chosen }]),
        ]}
        error={form.errorAt(path)}
        isDisabled={form.isReadOnly}
      />
    </SettingFrame>
  )
}

/** The available skills, and their versions. */
export function SkillsSection({ form, projectId }: SettingSectionProps) {
  return (
    <SettingFrame form={form} path="skills">
      <SkillPicker
        label={AGENT_SETTING_WORDS.skills.label}
        description={AGENT_SETTING_WORDS.skills.help}
        value={listAt(form, 'skills').filter(isSkillChoice)}
        onChange={(skills) => form.set('skills', skills)}
        projectId={projectId}
        error={form.errorAt('skills')}
        isDisabled={form.isReadOnly}
      />
    </SettingFrame>
  )
}

function isSkillChoice(item: unknown): item is SkillChoice {
  return isJsonObject(item) && (typeof item.skill_id === 'string' || typeof item.slug === 'string')
}

/** Earlier messages in the prompt, and stored memories about users. */
export function AgentMemory({ form, agentId }: SettingSectionProps) {
  const { paths } = usePlace()
  const hasHistory = form.value('memory.history.enabled') !== false
  const hasSummary = form.value('memory.summary.enabled') !== false
  const hasFacts = form.value('memory.user_memories.enabled') === true
  return (
    <>
      <SettingField form={form} path="memory.history.enabled" />
      {hasHistory && (
        <>
          <SettingGrid>
            <SettingField form={form} path="memory.history.max_runs" />
            <SettingField form={form} path="memory.history.max_tokens" />
            <SettingField form={form} path="memory.history.tool_traffic_runs" />
          </SettingGrid>
          <SettingField form={form} path="memory.summary.enabled" />
          {hasSummary && <SettingField form={form} path="memory.summary.trigger_tokens" />}
        </>
      )}
      <SettingField form={form} path="memory.user_memories.enabled" />
      {hasFacts && (
        <>
          <SettingGrid>
            <SettingField form={form} path="memory.user_memories.scope" />
            <SettingField form={form} path="memory.user_memories.max" />
          </SettingGrid>
          <p>
            <TextLink href={paths.memories({ agent: agentId })}>{words.factsLink}</TextLink>
          </p>
        </>
      )}
    </>
  )
}

const EXAMPLE_SCHEMA = {
  type: 'object',
  properties: { answer: { type: 'string' }, isCertain: { type: 'boolean' } },
  required: ['answer', 'isCertain'],
  additionalProperties: false,
}

/** Text, or JSON with a schema. */
export function AnswerSection({ form }: SettingSectionProps) {
  const isJson = form.value('execution.output.mode') === 'json_schema'
  return (
    <>
      <SettingField form={form} path="execution.output.mode" look="radio" />
      {isJson && (
        <>
          <SettingField form={form} path="execution.output.schema" />
          {form.value('execution.output.schema') === null && !form.isReadOnly && (
            <span>
              <Button size="small" onPress={() => form.set('execution.output.schema', EXAMPLE_SCHEMA)}>
                {words.schemaMissing}
              </Button>
            </span>
          )}
          <SettingField form={form} path="execution.output.strategy" look="radio" />
          <SettingField form={form} path="execution.output.max_repairs" />
        </>
      )}
    </>
  )
}

const LIMITS = ['max_steps', 'max_tool_calls', 'max_seconds'] as const

/** Limits of time, steps and cost. */
export function AgentLimits({ form }: SettingSectionProps) {
  return (
    <>
      <SettingGrid>
        {LIMITS.map((name) => (
          <SettingField key={name} form={form} path={`execution.${name}`} />
        ))}
        <SettingField form={form} path="execution.budget.max_total_tokens" />
        <SettingField form={form} path="execution.budget.max_cost_usd" />
      </SettingGrid>
      <SettingField form={form} path="execution.budget.on_exceeded" look="radio" />
      <SettingGrid>
        <SettingField form={form} path="execution.tool_choice" />
        <SettingField form={form} path="execution.loop_guard.repeat_limit" />
      </SettingGrid>
      <SettingField form={form} path="execution.parallel_tool_calls" />
    </>
  )
}

const PRIVACY = ['store_messages', 'trace_inputs', 'trace_outputs', 'expose_reasoning'] as const

/** Stored data of a run, and other users of the agent. */
export function PrivacySection({ form }: SettingSectionProps) {
  return (
    <>
      {PRIVACY.map((name) => (
        <SettingField key={name} form={form} path={`privacy.${name}`} />
      ))}
      <SettingField form={form} path="expose" />
      <SettingField form={form} path="metadata" />
    </>
  )
}
