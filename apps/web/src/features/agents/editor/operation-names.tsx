import { isJsonObject, MAX_LISTED_TOOLS } from '@troupe/contract'
import { useState } from 'react'
import { CheckboxGroup } from '../../../atoms/controls/choices.tsx'
import { TextField } from '../../../atoms/controls/text-field.tsx'
import { RefusableButton } from '../../../atoms/overlays/refusable-button.tsx'
import { FailurePanel } from '../../../atoms/states/failure-panel.tsx'
import { Callout } from '../../../atoms/states/panels.tsx'
import { toolSettingLabel } from '../../../core/labels/setting-labels.ts'
import { toolTestWords as words } from '../../../core/messages/en/resources/tool-test.ts'
import { useRefusal } from '../../../infrastructure/queries/use-refusal.ts'
import { type ConfigForm, listAt } from '../../../parts/config-form/config-form.ts'
import { LeftOutTools } from '../../../parts/tool-test/left-out-tools.tsx'
import { useToolNames } from '../../../parts/tool-test/use-tool-names.ts'

/** Number of names above which the list has a search field. */
const MANY_NAMES = 20

/** The selectable operations of an OpenAPI document. Typed names of other operations are kept. */
export function OperationNames({ form, at }: { form: ConfigForm; at: string }) {
  const refusal = useRefusal('build')
  const { names, leftOut, isEmpty, isPending, failure, find } = useToolNames(toolSettingLabel)
  const [wanted, setWanted] = useState('')
  const path = `${at}.operations`
  const chosen = listAt(form, path).map(String)
  const shown = names.filter((name) => name.toLowerCase().includes(wanted.trim().toLowerCase()))
  const search = () => {
    const tool = form.value(at)
    if (!isJsonObject(tool)) return
    // Including omitted ones, by their names in the document.
    const { operations: _, prefix: __, ...whole } = tool
    setWanted('')
    find(whole)
  }
  const choose = (ticked: readonly string[]) => {
    const next = [...chosen.filter((name) => !shown.includes(name)), ...ticked]
    form.set(path, next.length === 0 ? undefined : next)
  }
  return (
    <>
      <div>
        <RefusableButton size="small" refusal={refusal} isPending={isPending} onPress={search}>
          {words.findOperations}
        </RefusableButton>
      </div>
      <FailurePanel title={words.findFailed} failure={failure} />
      <LeftOutTools tools={leftOut} />
      {isEmpty && <Callout tone="warn">{words.noTools}</Callout>}
      {names.length > MANY_NAMES && (
        <TextField label={words.findOperation} type="search" value={wanted} onChange={setWanted} />
      )}
      {names.length > 0 && shown.length === 0 && <Callout>{words.noOperation}</Callout>}
      {shown.length > 0 && (
        <CheckboxGroup
          label={words.operations}
          description={names.length < MAX_LISTED_TOOLS ? null : words.firstOperations(MAX_LISTED_TOOLS)}
          value={chosen.filter((name) => shown.includes(name))}
          onChange={choose}
          options={shown.map((id) => ({ id, label: id }))}
          isDisabled={form.isReadOnly}
        />
      )}
    </>
  )
}
