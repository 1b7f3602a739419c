import type { OrganizationId } from '@troupe/contract'
import type { Signals } from '@troupe/runtime/ports'

/**
 * Port: told after a change of agents, LLM configurations or limits was committed. When the promise resolves, the next
 * read of this process sees the change; other processes follow by signal. Never rejects.
 */
export interface ConfigChanges {
  committed(organizationId: OrganizationId): Promise<void>
}

/** Drops the cached organization here, then tells every process. */
export function createConfigChanges(options: {
  forget: (organizationId: OrganizationId) => void
  signals: Pick<Signals, 'publish'>
  onLostSignal: (error: unknown) => void
}): ConfigChanges {
  return {
    async committed(organizationId) {
      options.forget(organizationId)
      // A lost signal costs the other processes latency only, so it must not fail the request that has committed.
      await options.signals.publish({ kind: 'config_changed', organizationId }).catch(options.onLostSignal)
    },
  }
}
