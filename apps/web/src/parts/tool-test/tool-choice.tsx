import { ComboBox } from '../../atoms/controls/combo-box.tsx'
import { RefusableButton } from '../../atoms/overlays/refusable-button.tsx'
import { FailurePanel } from '../../atoms/states/failure-panel.tsx'
import { toolTestWords as words } from '../../core/messages/en/resources/tool-test.ts'
import { fieldFailure, formFailure } from '../../infrastructure/client/field-failure.ts'
import { useChange } from '../../infrastructure/queries/use-operation.ts'
import { useRefusal } from '../../infrastructure/queries/use-refusal.ts'
import styles from './tool-test.module.css'

/** No tool can have this name, so the server answers which names there are, and calls none. */
const NO_TOOL = '?'

export interface ToolChoiceProps {
  tool: Readonly<Record<string, unknown>>
  value: string | null
  onChange(name: string): void
}

/** Which of the tools that a configuration gives. */
export function ToolChoice({ tool, value, onChange }: ToolChoiceProps) {
  const refusal = useRefusal('build')
  const find = useChange('testTool')
  const message = fieldFailure(find.failure, 'name')
  const names = message?.startsWith('must be one of: ')
    ? message.slice('must be one of: '.length).split(', ')
    : []
  return (
    <div className={styles.choice}>
      <ComboBox
        label={words.which}
        description={words.whichDetail}
        placeholder={names.length > 0 ? words.found : undefined}
        options={[...new Set([...names, ...(value ? [value] : [])])].map((id) => ({ id, label: id }))}
        value={value}
        onChange={(name) => name !== null && onChange(name)}
        error={message !== null && names.length === 0 ? words.noTools : null}
      />
      <RefusableButton
        refusal={refusal}
        isPending={find.isPending}
        onPress={() => find.run({ body: { tool: { ...tool }, name: NO_TOOL } })}
      >
        {words.find}
      </RefusableButton>
      <FailurePanel title={words.failed} failure={formFailure(find.failure, ['name'])} />
    </div>
  )
}
