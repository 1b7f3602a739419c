import type { AgentId, IdText } from '@troupe/contract'
import { Select } from '../../atoms/controls/select.tsx'
import { teamPageWords } from '../../core/messages/en/teams/page.ts'
import { type ModeSetting, readsSetting } from '../../core/teams/mode-settings.ts'
import { SettingField } from '../../parts/config-form/setting-field.tsx'
import { SettingFrame } from '../../parts/config-form/setting-frame.tsx'
import { EditorSection } from '../../parts/editor-section/editor-section.tsx'
import type { TeamForm } from './team-form.ts'

const words = teamPageWords.choices
const NONE = 'none'

/** Settings of the answer: the mode's own ones, and its format. */
export function ChoicesSection({
  form,
  nameOf,
}: {
  form: TeamForm
  nameOf(agentId: IdText<AgentId>): string
}) {
  const { config, errorAt } = form
  const isShown = (path: ModeSetting) => readsSetting(config.mode, path) || errorAt(path) !== null
  const isJson = config.output.mode === 'json_schema'
  return (
    <EditorSection
      id="choices"
      title={words.title}
      detail={words.detail}
      isChanged={form.isSectionChanged('choices')}
    >
      {isShown('fallback_member') && <FallbackMember form={form} nameOf={nameOf} />}
      {isShown('lead_may_answer_directly') && <SettingField form={form} path="lead_may_answer_directly" />}
      {isShown('min_successful_members') && <SettingField form={form} path="min_successful_members" />}
      <SettingField form={form} path="output.mode" look="radio" />
      {isJson && <SettingField form={form} path="output.schema" />}
    </EditorSection>
  )
}

function FallbackMember({ form, nameOf }: { form: TeamForm; nameOf(agentId: IdText<AgentId>): string }) {
  const path = 'fallback_member'
  const { label = path, help, none = NONE } = form.wordsOf(path) ?? {}
  const { members, fallback_member: fallback } = form.config
  return (
    <SettingFrame form={form} path={path}>
      <Select
        label={label}
        description={help}
        value={fallback ?? NONE}
        onChange={(agentId) => form.set(path, agentId === NONE ? null : agentId)}
        isDisabled={form.isReadOnly}
        error={form.errorAt(path)}
        options={[
          { id: NONE, label: none },
          ...members.map(({ agent }) => ({ id: agent, label: nameOf(agent) })),
        ]}
      />
    </SettingFrame>
  )
}
