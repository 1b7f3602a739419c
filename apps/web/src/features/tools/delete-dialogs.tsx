import type { Credential, RegisteredMcpServer } from '@troupe/builder-contract'
import { ConfirmDialog } from '../../atoms/overlays/confirm-dialog.tsx'
import { showNotice } from '../../atoms/overlays/notice-store.ts'
import { toolWords } from '../../core/messages/en/resources/tools.ts'
import { useChange } from '../../infrastructure/queries/use-operation.ts'
import { UserLinks } from '../../parts/used-by/used-by.tsx'

/** Asks before a credential is deleted, and says what would lose it. */
export function DeleteCredentialDialog({ credential, onClose }: { credential: Credential; onClose(): void }) {
  const words = toolWords.credentials
  const { credentialId, name, usedBy } = credential
  const remove = useChange('deleteCredential', { refreshes: ['listCredentials'] })
  const confirm = async () => {
    if (!(await remove.run({ params: { credentialId } }))) return
    showNotice({ title: words.removed(name) })
    onClose()
  }
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={words.removeTitle(name)}
      action={words.removeAction}
      isDanger
      isPending={remove.isPending}
      failed={words.removeFailed}
      failure={remove.failure}
      onConfirm={confirm}
    >
      <p>{usedBy.length > 0 ? words.removeUsed : words.removeDetail}</p>
      {usedBy.length > 0 && <UserLinks users={usedBy} none="" />}
    </ConfirmDialog>
  )
}

export interface DeleteServerDialogProps {
  server: RegisteredMcpServer
  onClose(): void
  /** Called instead of `onClose` when it is gone. */
  onRemoved(): void
}

/** Asks before an MCP server is deleted, and says what would lose it. */
export function DeleteServerDialog({ server, onClose, onRemoved }: DeleteServerDialogProps) {
  const words = toolWords.servers
  const { mcpServerId, name, usedBy } = server
  const remove = useChange('deleteMcpServer', { refreshes: ['listMcpServers'] })
  const confirm = async () => {
    if (!(await remove.run({ params: { mcpServerId } }))) return
    showNotice({ title: words.removed(name) })
    onRemoved()
  }
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={words.removeTitle(name)}
      action={words.removeAction}
      isDanger
      isPending={remove.isPending}
      failed={words.removeFailed}
      failure={remove.failure}
      onConfirm={confirm}
    >
      <p>{usedBy.length > 0 ? words.removeUsed : words.removeDetail}</p>
      {usedBy.length > 0 && <UserLinks users={usedBy} none="" />}
    </ConfirmDialog>
  )
}
