/** Pattern of addresses that visitors are redirected to. */
export const HTTPS_URL = {
  pattern: '^https://[^\\s/$.?#][^\\s]*$',
  patternMessage: 'must be an https address',
  maxLength: 2_048,
} as const
