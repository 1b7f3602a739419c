import type { AgentCatalog } from '../ports/agent-catalog.ts'
import type { ChatModels } from '../ports/chat-models.ts'
import type { RunStore } from '../ports/run-store.ts'
import type { RunTelemetry } from '../ports/run-telemetry.ts'
import type { Signals } from '../ports/signals.ts'
import type { ActiveRuns } from '../run/active-runs.ts'

/** Everything that running an agent needs; wired once by the composition root. */
export interface AgentRunDependencies {
  catalog: AgentCatalog
  models: ChatModels
  store: RunStore
  signals: Signals
  telemetry: RunTelemetry
  active: ActiveRuns
  /** Milliseconds since the epoch. */
  now: () => number
  newId: () => string
  /** Names this process in the rows of its runs. */
  workerId: string
  /** `TROUPE_RUN_MAX_SECONDS`: no run works longer. */
  maxSeconds: number
  /** How long a synchronous caller waits, in seconds (30 by the contract). */
  syncSeconds: number
}
