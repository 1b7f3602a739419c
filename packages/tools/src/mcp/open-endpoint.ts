import type { OrganizationId } from '@troupe/contract'
import { attachCredential, secretTexts } from '../credentials/attach-credential.ts'
import type { CredentialSource } from '../credentials/credential-source.ts'
import { type McpEndpoint, type McpServer, McpUnavailable } from './mcp-endpoint.ts'

/**
 * A server's address and headers, with its credential.
 *
 * @throws McpUnavailable if its credential cannot be sent there
 */
export async function openEndpoint(
  { url: address, projectId, credentialId }: Pick<McpServer, 'url' | 'projectId' | 'credentialId'>,
  given: Readonly<Record<string, string>>,
  organizationId: OrganizationId,
  credentials: CredentialSource,
): Promise<McpEndpoint> {
  if (credentialId === null) return { url: address, headers: given, secrets: [] }
  const credential = await credentials.find({ organizationId, projectId }, credentialId)
  if (!credential) throw new McpUnavailable('Its credential does not exist, or it may not use it.')
  const url = new URL(address)
  const headers = new Headers(given)
  if (!attachCredential(credential, url, headers)) {
    throw new McpUnavailable(`The credential ${credential.name} is not for its host.`)
  }
  return { url: url.href, headers: Object.fromEntries(headers), secrets: secretTexts(credential) }
}
