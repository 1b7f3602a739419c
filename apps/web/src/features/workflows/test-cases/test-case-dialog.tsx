import type { IdText, TestCaseId } from '@troupe/contract'
import type { BuilderWorkflow, TestCaseDetails, UpdateTestCaseBody } from '@troupe/contract/builder'
import { readGraph } from '@troupe/editor/document/read-graph'
import { CodeField } from '../../../atoms/code/code-field.tsx'
import { Button } from '../../../atoms/controls/button.tsx'
import { CheckboxGroup } from '../../../atoms/controls/choices.tsx'
import { Select } from '../../../atoms/controls/select.tsx'
import { TextField } from '../../../atoms/controls/text-field.tsx'
import { Toggle } from '../../../atoms/controls/toggles.tsx'
import { Dialog } from '../../../atoms/overlays/dialog.tsx'
import { FormDialog } from '../../../atoms/overlays/form-dialog.tsx'
import { AskedOrBack } from '../../../atoms/states/asked-or-back.tsx'
import { Callout } from '../../../atoms/states/panels.tsx'
import { readTypedJson } from '../../../core/forms/typed-json.ts'
import { testCaseWords as words } from '../../../core/messages/en/workflows/test-cases.ts'
import { asJson } from '../../../core/workflows/node-settings.ts'
import { fieldFailure, formFailure } from '../../../infrastructure/client/field-failure.ts'
import { controlsOf } from '../../../infrastructure/drafts/controls-of.ts'
import { useTypedForm } from '../../../infrastructure/drafts/use-typed-form.ts'
import { useChange, useOperation } from '../../../infrastructure/queries/use-operation.ts'

export interface TestCaseDialogProps {
  workflow: BuilderWorkflow
  testCaseId: IdText<TestCaseId>
  onClose(): void
}

/** Edits a test case: its name, input, expectation, and executed steps. */
export function TestCaseDialog({ workflow, testCaseId, onClose }: TestCaseDialogProps) {
  const { workflowId } = workflow
  const one = useOperation('getTestCase', { params: { workflowId, testCaseId } }, { isFresh: true })
  if (one.data) return <TestCaseForm workflow={workflow} one={one.data} onClose={onClose} />
  return (
    <Dialog isOpen onClose={onClose} title={words.title}>
      <AskedOrBack asked={one} failed={words.failed} back={<Button onPress={onClose}>{words.all}</Button>}>
        {() => null}
      </AskedOrBack>
    </Dialog>
  )
}

const OUTPUTS = ['any', 'equals', 'contains'] as const
const STATUSES = ['completed', 'failed', 'loop_limit_reached', 'policy_blocked'] as const
const FIELDS = ['name', 'payload', 'expect.output.value']

interface Fields {
  name: string
  blocking: boolean
  status: (typeof STATUSES)[number]
  output: (typeof OUTPUTS)[number]
  value: string
  payload: string
  mocked: string[]
}

function TestCaseForm({
  workflow,
  one,
  onClose,
}: Omit<TestCaseDialogProps, 'testCaseId'> & { one: TestCaseDetails }) {
  const { testCaseId, version, expect } = one
  const names = new Map(readGraph(workflow.draft).nodes.map(({ id, name }) => [id, name]))
  const frames = new Map<string, number>()
  for (const { nodeId } of one.mocks) frames.set(nodeId, (frames.get(nodeId) ?? 0) + 1)
  const typed = useTypedForm<Fields>(`test-case/${testCaseId}`, {
    name: one.name,
    blocking: one.blocking,
    status: expect.status,
    output: expect.output?.kind ?? 'any',
    value: expect.output ? asJson(expect.output.value) : '',
    payload: asJson(one.payload),
    mocked: [...frames.keys()],
  })
  const { name, blocking, status, output, value, payload, mocked } = typed.fields
  const update = useChange('updateTestCase', {
    refreshes: ['listTestCases', 'getTestCase', 'previewPublish'],
  })
  const expected = output === 'any' ? null : readTypedJson(value)
  const given = readTypedJson(payload)
  const { changed } = typed
  const isExpectChanged =
    changed.status !== undefined || changed.output !== undefined || changed.value !== undefined
  const submit = async () => {
    if (expected?.ok === false || !given.ok) return
    const removed = [...frames.keys()].filter((id) => !mocked.includes(id))
    const body: UpdateTestCaseBody = {
      version,
      ...(changed.name !== undefined && { name: name.trim() }),
      ...(changed.blocking !== undefined && { blocking }),
      ...(isExpectChanged && {
        expect: {
          status,
          output: expected === null || output === 'any' ? null : { kind: output, value: expected.value },
        },
      }),
      ...(changed.payload !== undefined && { payload: given.value }),
      ...(removed.length > 0 && { removeMocks: removed }),
    }
    if (!(await update.run({ params: { workflowId: workflow.workflowId, testCaseId }, body }))) return
    typed.discard()
    onClose()
  }
  const isConflict = update.failure?.code === 'version_conflict'
  const control = controlsOf(typed, update.failure)
  return (
    <FormDialog
      title={words.editTitle(one.name)}
      onClose={onClose}
      action={words.save}
      onSubmit={submit}
      isPending={update.isPending}
      isComplete={name.trim() !== '' && expected?.ok !== false && given.ok}
      failed={words.saveFailed}
      failure={isConflict ? null : formFailure(update.failure, FIELDS)}
      typed={typed}
      width="wide"
    >
      {isConflict && <Callout tone="warn">{words.conflict}</Callout>}
      <TextField label={words.name} {...control('name')} maxLength={128} />
      <Toggle
        isSelected={blocking}
        onChange={(next) => typed.change({ blocking: next })}
        description={words.blockingDetail}
      >
        {words.blockingLabel}
      </Toggle>
      <Select
        label={words.status}
        value={status}
        onChange={(next) => typed.change({ status: next })}
        options={STATUSES.map((id) => ({ id, label: words.statuses[id] }))}
      />
      <Select
        label={words.output}
        description={output === 'contains' ? words.outputsDetail.contains : null}
        value={output}
        onChange={(next) => typed.change({ output: next })}
        options={OUTPUTS.map((id) => ({ id, label: words.outputs[id] }))}
      />
      {output !== 'any' && (
        <CodeField
          label={words.value}
          language="json"
          value={value}
          onChange={(next) => typed.change({ value: next })}
          minLines={3}
          maxLines={12}
          error={
            expected?.ok === false
              ? (expected.fault ?? words.notJson)
              : fieldFailure(update.failure, 'expect.output.value')
          }
        />
      )}
      <CodeField
        label={words.payload}
        description={words.payloadDetail}
        language="json"
        value={payload}
        onChange={(next) => typed.change({ payload: next })}
        minLines={3}
        maxLines={12}
        error={given.ok ? fieldFailure(update.failure, 'payload') : (given.fault ?? words.notJson)}
      />
      {frames.size > 0 && (
        <CheckboxGroup
          label={words.keepMocks}
          value={mocked}
          onChange={(next) => typed.change({ mocked: [...next] })}
          options={[...frames].map(([id, count]) => ({
            id,
            label: count === 1 ? (names.get(id) ?? id) : words.iterations(names.get(id) ?? id, count),
          }))}
        />
      )}
    </FormDialog>
  )
}
