import type { IdText, WorkflowId } from '@troupe/contract'
import type { RunDetail } from '@troupe/contract/builder'
import { useState } from 'react'
import { TextField } from '../../../atoms/controls/text-field.tsx'
import { FormDialog } from '../../../atoms/overlays/form-dialog.tsx'
import { showNotice } from '../../../atoms/overlays/notice-store.ts'
import { testCaseWords as words } from '../../../core/messages/en/workflows/test-cases.ts'
import { testWords } from '../../../core/messages/en/workflows/testing.ts'
import { withSearch } from '../../../core/url/paths.ts'
import { fieldFailure, formFailure } from '../../../infrastructure/client/field-failure.ts'
import { useChange } from '../../../infrastructure/queries/use-operation.ts'
import { useGoTo } from '../../../infrastructure/routing/place.ts'
import { usePlace } from '../../../infrastructure/sign-in/session.ts'

export interface NewCaseDialogProps {
  workflowId: IdText<WorkflowId>
  run: Pick<RunDetail, 'runId' | 'status'>
  onClose(): void
}

/** Asks for the name of a test case that is created from a run. */
export function NewCaseDialog({ workflowId, run: { runId }, onClose }: NewCaseDialogProps) {
  const { paths } = usePlace()
  const goTo = useGoTo()
  const [name, setName] = useState('')
  const make = useChange('createTestCase', { refreshes: ['listTestCases', 'previewPublish'] })
  const save = async () => {
    const given = name.trim()
    const body = { fromRunId: runId, ...(given !== '' && { name: given }) }
    const made = await make.run({ params: { workflowId }, body })
    if (!made) return
    const { testCaseId } = made.answer
    onClose()
    showNotice({
      title: testWords.testCaseMade(made.answer.name),
      action: {
        label: words.open,
        run: () => goTo(withSearch(paths.workflow(workflowId, 'tests'), { case: testCaseId })),
      },
    })
  }
  return (
    <FormDialog
      title={testWords.saveAsTestCase}
      onClose={onClose}
      action={words.save}
      onSubmit={() => void save()}
      isPending={make.isPending}
      failed={testWords.testCaseFailed}
      failure={formFailure(make.failure, ['name'])}
    >
      <p>{words.madeOf}</p>
      <TextField
        label={words.name}
        value={name}
        onChange={setName}
        isOptional
        autoFocus
        maxLength={128}
        error={fieldFailure(make.failure, 'name')}
      />
    </FormDialog>
  )
}
