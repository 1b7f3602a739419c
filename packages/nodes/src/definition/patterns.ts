/** What an address must look like that people are sent to. */
export const HTTPS_URL = {
  pattern: '^https://[^\\s/$.?#][^\\s]*$',
  patternMessage: 'must be an https address',
  maxLength: 2_048,
} as const
