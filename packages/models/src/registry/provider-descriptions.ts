import { type ModelParameterName, type ProviderId, typedKeys } from '@troupe/contract'
import type { ConnectionInput, ProviderDescription } from '../provider/provider.ts'
import { PROVIDERS } from './providers.ts'

/** The fields of a connection to each provider, for forms. */
export function providerDescriptions(): ProviderDescription[] {
  return typedKeys(PROVIDERS).map((id) => PROVIDERS[id].description)
}

/** The fields of a connection to one provider. */
export function providerDescription(providerId: ProviderId): ProviderDescription {
  return PROVIDERS[providerId].description
}

/** The parameters that a connection leaves out, for every model. */
export function unusedParameters(
  providerId: ProviderId,
  settings: ConnectionInput['settings'],
): readonly ModelParameterName[] {
  return PROVIDERS[providerId].unusedParameters?.(settings) ?? []
}
