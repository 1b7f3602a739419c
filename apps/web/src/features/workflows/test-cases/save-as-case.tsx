import { FlaskConical } from 'lucide-react'
import { useState } from 'react'
import { LazyDialog } from '../../../atoms/overlays/lazy-dialog.tsx'
import { RefusableButton } from '../../../atoms/overlays/refusable-button.tsx'
import { lazyPart } from '../../../atoms/parts/lazy-part.ts'
import { testWords } from '../../../core/messages/en/workflows/testing.ts'
import { isEnded } from '../../../core/runs/run-state.ts'
import { useRefusal } from '../../../infrastructure/queries/use-refusal.ts'
import type { NewCaseDialogProps } from './new-case-dialog.tsx'

const NewCaseDialog = lazyPart(async () => (await import('./new-case-dialog.tsx')).NewCaseDialog)

export type SaveAsCaseProps = Omit<NewCaseDialogProps, 'onClose'>

/** Makes a test case of a test or a run that has ended, without leaving the editor; nothing before its end. */
export function SaveAsCase({ workflowId, run }: SaveAsCaseProps) {
  const refusal = useRefusal('build')
  const [isOpen, setOpen] = useState(false)
  if (!isEnded(run.status)) return null
  return (
    <>
      <RefusableButton
        size="small"
        icon={<FlaskConical size={14} />}
        refusal={refusal}
        onPress={() => setOpen(true)}
      >
        {testWords.saveAsTestCase}
      </RefusableButton>
      {isOpen && (
        <LazyDialog>
          <NewCaseDialog {...{ workflowId, run }} onClose={() => setOpen(false)} />
        </LazyDialog>
      )}
    </>
  )
}
