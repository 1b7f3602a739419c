import type { ImportedDraft } from '@troupe/contract/builder'
import { Button } from '../../../atoms/controls/button.tsx'
import { Dialog } from '../../../atoms/overlays/dialog.tsx'
import { atomWords } from '../../../core/messages/en/atoms.ts'
import { clipboardWords as words } from '../../../core/messages/en/workflows/canvas.ts'
import { ImportReport } from '../parts/import-report.tsx'

export interface PastedReportDialogProps {
  imported: ImportedDraft
  onClose(): void
}

/** The results of pasted nodes from another product. */
export function PastedReportDialog({ imported, onClose }: PastedReportDialogProps) {
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={words.pastedTitle}
      width="wide"
      actions={<Button onPress={onClose}>{atomWords.close}</Button>}
    >
      <p>{words.pastedDetail}</p>
      <ImportReport imported={imported} />
    </Dialog>
  )
}
