import type { ExtractLimits } from '@troupe/documents'

const MB = 1024 * 1024

/** Maximum bytes of a bundle's archive sent to a server. */
export const MAX_ARCHIVE_BYTES = 512 * MB

/**
 * Maximum bytes of a bundle without files: it contains complete organizations, and the configuration of one agent has
 * up to 256 KB.
 */
export const MAX_BUNDLE_BYTES = 8 * MB

/** Limits of an archive of a bundle. Documents are mostly compressed already, so it hardly grows when extracted. */
export const ARCHIVE_LIMITS: ExtractLimits = { entries: 20_000, inflatedBytes: 1_024 * MB, ratio: 200 }
