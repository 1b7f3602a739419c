/** Maximum characters of the list of exported resources. */
export const MAX_BUNDLE_SELECTION = 12_000
