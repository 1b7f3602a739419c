import type { ExtractLimits } from '@troupe/documents'

const MB = 1024 * 1024

/** Bytes of a bundle's archive that is sent to a server. */
export const MAX_ARCHIVE_BYTES = 512 * MB

/** Bytes of a bundle without files: it has complete organizations, and the configuration of one agent has up to 256 KB. */
export const MAX_BUNDLE_BYTES = 8 * MB

/** What an archive of a bundle may hold. Documents are mostly compressed already, so that it hardly grows. */
export const ARCHIVE_LIMITS: ExtractLimits = { entries: 20_000, inflatedBytes: 1_024 * MB, ratio: 200 }
