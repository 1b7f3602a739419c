import type { Credential, RegisteredMcpServer } from '@troupe/builder-contract'
import { toolWords } from '../../core/messages/en/resources/tools.ts'
import { ConfirmChange } from '../../parts/confirm-change/confirm-change.tsx'
import { UserLinks } from '../../parts/used-by/used-by.tsx'

/** Asks before a credential is deleted, and says what would lose it. */
export function DeleteCredentialDialog({ credential, onClose }: { credential: Credential; onClose(): void }) {
  const words = toolWords.credentials
  const { credentialId, name, usedBy } = credential
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
      <p>{usedBy.length > 0 ? words.removeUsed : words.removeDetail}</p>
      {usedBy.length > 0 && <UserLinks users={usedBy} none="" />}
    </ConfirmChange>
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
      <p>{usedBy.length > 0 ? words.removeUsed : words.removeDetail}</p>
      {usedBy.length > 0 && <UserLinks users={usedBy} none="" />}
    </ConfirmChange>
  )
}
