import { isJsonObject } from '@troupe/contract'
import { CheckboxGroup } from '../../../atoms/controls/choices.tsx'
import { RefusableButton } from '../../../atoms/overlays/refusable-button.tsx'
import { FailurePanel } from '../../../atoms/states/failure-panel.tsx'
import { Callout } from '../../../atoms/states/panels.tsx'
import { toolTestWords as words } from '../../../core/messages/en/resources/tool-test.ts'
import { useRefusal } from '../../../infrastructure/queries/use-refusal.ts'
import { type ConfigForm, listAt } from '../../../parts/config-form/config-form.ts'
import { useToolNames } from '../../../parts/tool-test/use-tool-names.ts'

/** The server names no more at once. */
const MOST_NAMES = 20

/** The operations of an OpenAPI document, to choose from. Typed names of others stay. */
export function OperationNames({ form, at }: { form: ConfigForm; at: string }) {
  const refusal = useRefusal('build')
  const { names, isAnswered, isPending, failure, find } = useToolNames()
  const path = `${at}.operations`
  const chosen = listAt(form, path).map(String)
  const search = () => {
    const tool = form.value(at)
    if (!isJsonObject(tool)) return
    // Those that are left out, too, and by the names that the document gives them.
    const { operations: _, prefix: __, ...whole } = tool
    find(whole)
  }
  const choose = (shown: readonly string[]) => {
    const next = [...chosen.filter((name) => !names.includes(name)), ...shown]
    form.set(path, next.length === 0 ? undefined : next)
  }
  return (
    <>
      <div>
        <RefusableButton size="small" refusal={refusal} isPending={isPending} onPress={search}>
          {words.findOperations}
        </RefusableButton>
      </div>
      <FailurePanel title={words.failed} failure={failure} />
      {isAnswered && names.length === 0 && <Callout tone="warn">{words.noTools}</Callout>}
      {names.length > 0 && (
        <CheckboxGroup
          label={words.operations}
          description={names.length < MOST_NAMES ? null : words.firstOperations(MOST_NAMES)}
          value={chosen.filter((name) => names.includes(name))}
          onChange={choose}
          options={names.map((id) => ({ id, label: id }))}
          isDisabled={form.isReadOnly}
        />
      )}
    </>
  )
}
