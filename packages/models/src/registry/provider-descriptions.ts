import { type ModelParameterName, type ProviderId, typedKeys } from '@troupe/contract'
import type { ConnectionInput, ProviderDescription } from '../provider/provider.ts'
import { PROVIDERS } from './providers.ts'

/** What a connection to each provider consists of, for forms. */
export function providerDescriptions(): ProviderDescription[] {
  return typedKeys(PROVIDERS).map((id) => PROVIDERS[id].description)
}

/** What a connection to one provider consists of. */
export function providerDescription(providerId: ProviderId): ProviderDescription {
  return PROVIDERS[providerId].description
}

/** The parameters that a connection leaves out, whichever model it asks. */
export function unusedParameters(
  providerId: ProviderId,
  settings: ConnectionInput['settings'],
): readonly ModelParameterName[] {
  return PROVIDERS[providerId].unusedParameters?.(settings) ?? []
}
