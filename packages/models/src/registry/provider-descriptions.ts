import { type ProviderId, typedKeys } from '@troupe/contract'
import type { ProviderDescription } from '../provider/provider.ts'
import { PROVIDERS } from './providers.ts'

/** What a connection to each provider consists of, for forms. */
export function providerDescriptions(): ProviderDescription[] {
  return typedKeys(PROVIDERS).map((id) => PROVIDERS[id].description)
}

/** What a connection to one provider consists of. */
export function providerDescription(providerId: ProviderId): ProviderDescription {
  return PROVIDERS[providerId].description
}
