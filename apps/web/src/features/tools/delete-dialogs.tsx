import type { Credential, RegisteredMcpServer } from '@troupe/builder-contract'
import { toolWords } from '../../core/messages/en/resources/tools.ts'
import { ConfirmChange } from '../../parts/confirm-change/confirm-change.tsx'
import { StillUsedDialog } from '../../parts/used-by/still-used-dialog.tsx'

/** Asks before a credential is deleted; one that is used is not, and the dialog leads to what uses it. */
export function DeleteCredentialDialog({ credential, onClose }: { credential: Credential; onClose(): void }) {
  const words = toolWords.credentials
  const { credentialId, name, usedBy } = credential
  if (usedBy.length > 0) {
    return (
      <StillUsedDialog
        title={words.removeRefused(name)}
        detail={words.removeUsed}
        users={usedBy}
        onClose={onClose}
      />
    )
  }
  return (
    <ConfirmChange
      operation="deleteCredential"
      input={{ params: { credentialId } }}
      refreshes={['listCredentials']}
      title={words.removeTitle(name)}
      action={words.removeAction}
      failed={words.removeFailed}
      done={words.removed(name)}
      onClose={onClose}
    >
      <p>{words.removeDetail}</p>
    </ConfirmChange>
  )
}

export interface DeleteServerDialogProps {
  server: RegisteredMcpServer
  onClose(): void
  /** Called instead of `onClose` when it is gone. */
  onRemoved(): void
}

/** Asks before an MCP server is deleted; one that is used is not, and the dialog leads to what uses it. */
export function DeleteServerDialog({ server, onClose, onRemoved }: DeleteServerDialogProps) {
  const words = toolWords.servers
  const { mcpServerId, name, usedBy } = server
  if (usedBy.length > 0) {
    return (
      <StillUsedDialog
        title={words.removeRefused(name)}
        detail={words.removeUsed}
        users={usedBy}
        onClose={onClose}
      />
    )
  }
  return (
    <ConfirmChange
      operation="deleteMcpServer"
      input={{ params: { mcpServerId } }}
      refreshes={['listMcpServers']}
      title={words.removeTitle(name)}
      action={words.removeAction}
      failed={words.removeFailed}
      done={words.removed(name)}
      onClose={onClose}
      onDone={onRemoved}
    >
      <p>{words.removeDetail}</p>
    </ConfirmChange>
  )
}
