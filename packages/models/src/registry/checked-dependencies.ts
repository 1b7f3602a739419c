import type { ProviderConnection } from '@troupe/agents/ports'
import type { ProviderDependencies } from '../provider/provider.ts'
import { checkedFetch } from '../wire/checked-fetch.ts'
import type { RequestField } from '../wire/request-fields.ts'
import { fetchFor } from './connection-fields.ts'
import { protocolOf } from './protocol-of.ts'

/** The dependencies of a provider whose answers are checked before its package reads them. */
export function checkedDependencies(
  connection: ProviderConnection,
  { fetch, clock }: ProviderDependencies,
): ProviderDependencies {
  const protocol = protocolOf(connection)
  const { providerId, baseUrl, settings } = connection
  const isServerUnknown = providerId === 'openai-compatible' || (providerId === 'openai' && baseUrl !== null)
  const mayLackFinishReason = protocol === 'chat' && isServerUnknown
  return {
    clock,
    fetch: checkedFetch({
      fetch: fetchFor(connection, fetch),
      providerId,
      protocol,
      mayLackFinishReason,
      leftOut: leftOutBy(settings),
      clock,
    }),
  }
}

/** The request fields that the settings of a connection disable. */
function leftOutBy(settings: ProviderConnection['settings']): RequestField[] {
  const fields: [string, RequestField][] = [
    ['streamUsage', 'stream_options'],
    ['strictSchemas', 'strict'],
    ['structuredOutputs', 'json_schema'],
  ]
  return fields.flatMap(([setting, field]) => (settings[setting] === false ? [field] : []))
}
