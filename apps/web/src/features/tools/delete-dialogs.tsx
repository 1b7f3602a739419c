import type { Credential, RegisteredMcpServer } from '@troupe/contract/builder'
import { toolWords } from '../../core/messages/en/resources/tools.ts'
import { DeleteUnlessUsed } from '../../parts/used-by/delete-unless-used.tsx'

export function DeleteCredentialDialog({ credential, onClose }: { credential: Credential; onClose(): void }) {
  const words = toolWords.credentials
  const { credentialId, name, usedBy } = credential
  return (
    <DeleteUnlessUsed
      operation="deleteCredential"
      input={{ params: { credentialId } }}
      refreshes={['listCredentials']}
      name={name}
      words={words}
      users={usedBy}
      onClose={onClose}
    >
      <p>{words.removeDetail}</p>
    </DeleteUnlessUsed>
  )
}

export interface DeleteServerDialogProps {
  server: RegisteredMcpServer
  onClose(): void
  /** Called instead of `onClose` after the deletion. */
  onRemoved(): void
}

export function DeleteServerDialog({ server, onClose, onRemoved }: DeleteServerDialogProps) {
  const words = toolWords.servers
  const { mcpServerId, name, usedBy } = server
  return (
    <DeleteUnlessUsed
      operation="deleteMcpServer"
      input={{ params: { mcpServerId } }}
      refreshes={['listMcpServers']}
      name={name}
      words={words}
      users={usedBy}
      onClose={onClose}
      onRemoved={onRemoved}
    >
      <p>{words.removeDetail}</p>
    </DeleteUnlessUsed>
  )
}
