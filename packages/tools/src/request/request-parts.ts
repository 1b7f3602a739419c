import type { CredentialSource } from '../credentials/credential-source.ts'

/** Dependencies of tools that send requests. */
export interface RequestParts {
  credentials: CredentialSource
  /** Reaches only destinations permitted for tenants, and never forwards headers to another origin. */
  fetch: typeof globalThis.fetch
}
