import type { Option } from '../../../atoms/controls/option-list.tsx'
import { TextLink } from '../../../atoms/controls/text-link.tsx'
import { TOOL_SETTING_WORDS, agentToolWords as words } from '../../../core/messages/en/agents/agent-tools.ts'
import { agentWords } from '../../../core/messages/en/agents/agents.ts'
import { usePlace } from '../../../infrastructure/sign-in/session.ts'
import { type ConfigForm, textAt } from '../../../parts/config-form/config-form.ts'
import { SettingFrame } from '../../../parts/config-form/setting-frame.tsx'
import { SearchPicker } from '../../../parts/pickers/search-picker.tsx'
import { AGENTS, WORKFLOWS } from '../../../parts/pickers/searched-lists.ts'
import { type Choices, useChoices } from '../../../parts/pickers/use-choices.ts'

interface ReferencePickerProps {
  form: ConfigForm
  /** `tools.0.agent_id`. */
  path: string
}

/** Another agent used as a tool. The server refuses the agent itself and cycles. */
export function AgentReference({ form, path }: ReferencePickerProps) {
  const { paths } = usePlace()
  const agents = useChoices(AGENTS, [textAt(form, path)])
  return (
    <Reference
      form={form}
      path={path}
      {...TOOL_SETTING_WORDS.agent_id}
      choices={agents}
      failed={words.agentsFailed}
      optionOf={({ agentId, name, status }) => ({
        id: agentId,
        label: name,
        detail: agentWords.statuses[status],
      })}
      hrefOf={paths.agent}
    />
  )
}

/** A workflow that a tool runs. */
export function WorkflowReference({ form, path }: ReferencePickerProps) {
  const { paths } = usePlace()
  const workflows = useChoices(WORKFLOWS, [textAt(form, path)])
  return (
    <Reference
      form={form}
      path={path}
      {...TOOL_SETTING_WORDS.workflow_id}
      choices={workflows}
      failed={words.workflowsFailed}
      optionOf={({ workflowId, name }) => ({ id: workflowId, label: name })}
      hrefOf={paths.workflow}
    />
  )
}

interface ReferenceProps<Thing> extends ReferencePickerProps {
  label: string
  help?: string
  choices: Choices<Thing>
  failed: string
  optionOf(thing: Thing): Option
  hrefOf(id: string): string
}

function Reference<Thing>(props: ReferenceProps<Thing>) {
  const { form, path, label, help, choices, failed, optionOf, hrefOf } = props
  const chosen = textAt(form, path)
  const thing = choices.thing(chosen)
  const name = thing === undefined ? null : optionOf(thing).label
  const isGone = chosen !== '' && choices.isGone(chosen)
  return (
    <SettingFrame form={form} path={path}>
      <SearchPicker
        label={label}
        description={
          chosen === '' || isGone ? help : <TextLink href={hrefOf(chosen)}>{name ?? chosen}</TextLink>
        }
        placeholder={words.find}
        value={chosen === '' ? null : chosen}
        name={name}
        options={choices.found.map(optionOf)}
        onType={choices.onType}
        isSearching={choices.isSearching}
        onChange={(id) => id !== null && form.set(path, id)}
        error={form.errorAt(path) ?? (choices.failure ? failed : null) ?? (isGone ? words.gone : null)}
        isDisabled={form.isReadOnly}
      />
    </SettingFrame>
  )
}
