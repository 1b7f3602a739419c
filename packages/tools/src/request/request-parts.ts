import type { CredentialSource } from '../credentials/credential-source.ts'

/** What tools that send requests need. */
export interface RequestParts {
  credentials: CredentialSource
  /** Reaches what a tenant may reach, and never sends headers on to another origin. */
  fetch: typeof globalThis.fetch
}
