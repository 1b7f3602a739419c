import type { AnyVersionId, IdText } from '@troupe/contract'
import type { Version } from '@troupe/contract/builder'
import { useState } from 'react'
import { ConfirmDialog } from '../../atoms/overlays/confirm-dialog.tsx'
import { showNotice } from '../../atoms/overlays/notice-store.ts'
import { Callout } from '../../atoms/states/panels.tsx'
import { serverNow } from '../../core/format/server-clock.ts'
import { relativeTime } from '../../core/format/times.ts'
import type { ConfigKind } from '../../core/forms/check-content.ts'
import { configVersionWords as words } from '../../core/messages/en/parts/versions.ts'
import { useRestoreVersion } from './version-source.ts'

export interface RestoreVersionDialogProps {
  kind: ConfigKind
  id: string
  version: Version
  currentVersionId: IdText<AnyVersionId>
  onClose(): void
}

/** Confirms that a version goes live. Other users' saves in the meantime are named first. */
export function RestoreVersionDialog(props: RestoreVersionDialogProps) {
  const { kind, id, version, onClose } = props
  // The version that the user saw. A save that arrives while the dialog is open must be named, not overwritten.
  const [seenVersionId] = useState(props.currentVersionId)
  const restore = useRestoreVersion(kind, id)
  const name = words.version(version.number)
  const conflict = restore.failure?.current ?? null
  const run = async () => {
    const baseVersionId = conflict?.versionId ?? seenVersionId
    const answer = await restore.run(version.versionId, { baseVersionId })
    if (answer === null) return
    showNotice({ title: words.restored(name), detail: words.restoredDetail(answer.versionNumber) })
    onClose()
  }
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={words.restoreTitle(name)}
      action={conflict ? words.restoreOnTop : words.restoreAction}
      isPending={restore.isPending}
      failed={words.restoreFailed}
      failure={conflict ? null : restore.failure}
      onConfirm={() => void run()}
    >
      <p>{words.restoreText(name, words.next)}</p>
      {conflict && (
        <Callout tone="warn">
          {words.meanwhile(
            conflict.changedBy?.name ?? null,
            words.version(conflict.number),
            relativeTime(conflict.changedAt, serverNow()),
          )}
        </Callout>
      )}
    </ConfirmDialog>
  )
}
