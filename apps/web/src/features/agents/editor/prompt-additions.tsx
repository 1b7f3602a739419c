import { Disclosure } from '../../../atoms/layout/disclosure.tsx'
import { agentSectionWords as words } from '../../../core/messages/en/agents/agent-sections.ts'
import { AGENT_SETTING_WORDS } from '../../../core/messages/en/agents/agent-settings.ts'
import { type ConfigForm, textAt } from '../../../parts/config-form/config-form.ts'
import { SettingField } from '../../../parts/config-form/setting-field.tsx'

/** Additions to the instructions: name, expected answer, time. */
export function PromptAdditions({ form }: { form: ConfigForm }) {
  const hasTime = form.value('prompt.add_datetime') === true
  const parts = [
    ...(form.value('prompt.add_agent_name') === true ? [words.name] : []),
    ...(textAt(form, 'prompt.expected_output') === ''
      ? []
      : [AGENT_SETTING_WORDS['prompt.expected_output'].label]),
    ...(hasTime ? [AGENT_SETTING_WORDS['prompt.add_datetime'].label] : []),
  ]
  return (
    <Disclosure look="section" title={words.prompt} summary={words.promptSummary(parts)}>
      <SettingField form={form} path="prompt.expected_output" look="area" />
      <SettingField form={form} path="prompt.add_agent_name" />
      <SettingField form={form} path="prompt.add_datetime" />
      {hasTime && <SettingField form={form} path="prompt.timezone" />}
    </Disclosure>
  )
}
