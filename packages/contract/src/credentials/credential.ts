import { type Static, Type } from 'typebox'

/** How a credential is sent: `Authorization: Bearer`, `Authorization: Basic`, a header or a query parameter. */
export const CREDENTIAL_KINDS = ['bearer', 'basic', 'header', 'query'] as const
export type CredentialKind = (typeof CREDENTIAL_KINDS)[number]

/** The header or the query parameter that carries the secret. */
export const CredentialField = Type.String({
  pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}$",
  patternMessage: 'must be the name of a header or of a query parameter',
})

/** A host that a credential is sent to, on any port; `*.` in front covers one label. */
export const CredentialHost = Type.String({
  maxLength: 253,
  pattern: '^(\\*\\.)?[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*$|^\\[[0-9A-Fa-f:.]+\\]$',
  patternMessage: 'must be a host name without scheme and port; *.example.com covers one label',
})
export type CredentialHost = Static<typeof CredentialHost>
