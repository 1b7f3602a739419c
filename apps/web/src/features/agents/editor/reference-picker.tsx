import { useDeferredValue, useState } from 'react'
import { ComboBox } from '../../../atoms/controls/combo-box.tsx'
import type { Option } from '../../../atoms/controls/option-list.tsx'
import { TextLink } from '../../../atoms/controls/text-link.tsx'
import { TOOL_SETTING_WORDS, agentToolWords as words } from '../../../core/messages/en/agents/agent-tools.ts'
import { agentWords } from '../../../core/messages/en/lists.ts'
import { useOperation } from '../../../infrastructure/queries/use-operation.ts'
import { usePlace } from '../../../infrastructure/session/session.ts'
import { type ConfigForm, textAt } from '../../../parts/config-form/config-form.ts'
import { SettingFrame } from '../../../parts/config-form/setting-frame.tsx'

interface ReferencePickerProps {
  form: ConfigForm
  /** `tools.0.agent_id`. */
  path: string
}

const FOUND = 50

/** Another agent that a tool asks. The agent itself is refused by the server, and so are circles. */
export function AgentReference({ form, path }: ReferencePickerProps) {
  const { paths } = usePlace()
  const [typed, setTyped] = useState('')
  const q = useDeferredValue(typed)
  const agents = useOperation('listAgents', { query: { limit: FOUND, sort: 'name', ...(q ? { q } : {}) } })
  return (
    <Reference
      form={form}
      path={path}
      label={TOOL_SETTING_WORDS.agent_id.label}
      help={TOOL_SETTING_WORDS.agent_id.help}
      onType={setTyped}
      failed={agents.failure === null ? null : words.agentsFailed}
      options={(agents.data?.data ?? []).map(({ agentId, name, status }) => ({
        id: agentId,
        label: name,
        detail: agentWords.statuses[status],
      }))}
      isComplete={q === '' && agents.data !== undefined && agents.data.total <= FOUND}
      hrefOf={paths.agent}
    />
  )
}

/** A workflow that a tool runs. */
export function WorkflowReference({ form, path }: ReferencePickerProps) {
  const { paths } = usePlace()
  const [typed, setTyped] = useState('')
  const q = useDeferredValue(typed)
  const workflows = useOperation('listWorkflows', {
    query: { limit: FOUND, sort: 'name', ...(q ? { q } : {}) },
  })
  return (
    <Reference
      form={form}
      path={path}
      label={TOOL_SETTING_WORDS.workflow_id.label}
      help={TOOL_SETTING_WORDS.workflow_id.help}
      onType={setTyped}
      failed={workflows.failure === null ? null : words.workflowsFailed}
      options={(workflows.data?.data ?? []).map(({ workflowId, name }) => ({ id: workflowId, label: name }))}
      isComplete={q === '' && workflows.data !== undefined && workflows.data.total <= FOUND}
      hrefOf={paths.workflow}
    />
  )
}

interface ReferenceProps extends ReferencePickerProps {
  label: string
  help: string | undefined
  options: readonly Option[]
  /** Whether every thing is in the options, so that a missing one is gone. */
  isComplete: boolean
  failed: string | null
  onType(text: string): void
  hrefOf(id: string): string
}

function Reference(props: ReferenceProps) {
  const { form, path, label, help, options, isComplete, failed, onType, hrefOf } = props
  const chosen = textAt(form, path)
  const known = options.find(({ id }) => id === chosen)
  const [text, setText] = useState<string | null>(null)
  const isGone = chosen !== '' && !known && isComplete
  return (
    <SettingFrame form={form} path={path}>
      <ComboBox
        label={label}
        description={
          chosen === '' || isGone ? help : <TextLink href={hrefOf(chosen)}>{known?.label ?? chosen}</TextLink>
        }
        placeholder={words.find}
        value={chosen === '' ? null : chosen}
        options={known || chosen === '' ? options : [...options, { id: chosen, label: chosen }]}
        search={{
          text: text ?? known?.label ?? chosen,
          onChange: (next) => {
            setText(next)
            onType(next === known?.label ? '' : next)
          },
        }}
        onChange={(id) => {
          if (id === null) return
          form.set(path, id)
          setText(null)
          onType('')
        }}
        error={form.errorAt(path) ?? failed ?? (isGone ? words.gone : null)}
        isDisabled={form.isReadOnly}
      />
    </SettingFrame>
  )
}
