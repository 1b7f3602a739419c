import type { CredentialId, CredentialKind, OrganizationId, ProjectId } from '@troupe/contract'

/** A credential ready to be sent. Holds a secret: never log or serialise it. */
export interface ToolCredential {
  name: string
  kind: CredentialKind
  /** Set for `basic`. */
  username: string | null
  /** The header or query parameter of `header` and `query`. */
  field: string | null
  secret: string
  /** Host names in lower case; `*.example.com` covers one label. */
  hosts: readonly string[]
}

/** Port: the credentials that tools may send. */
export interface CredentialSource {
  /** A credential that an agent of this project may use; null if there is none. */
  find(
    owner: { organizationId: OrganizationId; projectId: ProjectId | null },
    credentialId: CredentialId,
  ): Promise<ToolCredential | null>
}
