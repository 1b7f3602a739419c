/** The key of a provider; a self-hosted one may need none. @throws Error when the provider's own service has no key */
export function requiredKey(choice: {
  provider: string
  apiKey: string | null
  baseUrl: string | null
}): string {
  const { provider, apiKey, baseUrl } = choice
  if (apiKey !== null) return apiKey
  if (baseUrl !== null) return 'none'
  throw new Error(`The voice configuration has no usable credential for ${provider}.`)
}
