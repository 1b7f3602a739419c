import type { ProviderConnection } from '@troupe/agents/ports'
import type { WireProtocol } from '../provider/provider.ts'
import { PROVIDERS } from './providers.ts'

/** The protocol of the chat models of a connection; null for the sandbox. */
export function protocolOf({ providerId, settings }: ProviderConnection): WireProtocol | null {
  return PROVIDERS[providerId].protocol(settings)
}
