import { ComboBox } from '../../atoms/controls/combo-box.tsx'
import { RefusableButton } from '../../atoms/overlays/refusable-button.tsx'
import { FailurePanel } from '../../atoms/states/failure-panel.tsx'
import { toolTestWords as words } from '../../core/messages/en/resources/tool-test.ts'
import { useRefusal } from '../../infrastructure/queries/use-refusal.ts'
import { LeftOutTools } from './left-out-tools.tsx'
import type { ToolLabelOf } from './tool-failure.ts'
import styles from './tool-test.module.css'
import { useToolNames } from './use-tool-names.ts'

export interface ToolChoiceProps {
  tool: Readonly<Record<string, unknown>>
  value: string | null
  onChange(name: string): void
  /** The error of the selection; null: none. */
  error: string | null
  labelOf?: ToolLabelOf | undefined
}

/** Selects one of a configuration's tools. */
export function ToolChoice({ tool, value, onChange, error, labelOf }: ToolChoiceProps) {
  const refusal = useRefusal('build')
  const { names, leftOut, isEmpty, isPending, failure, find } = useToolNames(labelOf)
  return (
    <div className={styles.choice}>
      <ComboBox
        label={words.which}
        description={words.whichDetail}
        placeholder={names.length > 0 ? words.found : undefined}
        options={[...new Set([...names, ...(value ? [value] : [])])].map((id) => ({ id, label: id }))}
        value={value}
        onChange={(name) => name !== null && onChange(name)}
        error={isEmpty ? words.noTools : error}
      />
      <RefusableButton refusal={refusal} isPending={isPending} onPress={() => find(tool)}>
        {words.find}
      </RefusableButton>
      <FailurePanel title={words.findFailed} failure={failure} />
      {leftOut.length > 0 && (
        <div className={styles.wide}>
          <LeftOutTools tools={leftOut} />
        </div>
      )}
    </div>
  )
}
