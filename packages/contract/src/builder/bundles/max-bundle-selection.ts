/** Maximum characters of what an export of some things names. */
export const MAX_BUNDLE_SELECTION = 12_000
