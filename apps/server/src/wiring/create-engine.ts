import type { Clock } from '@troupe/agents/ports'
import type { RunEngine } from '@troupe/durable-work'
import { createLocalEngine, createRestateEngine, type EngineLog } from '@troupe/engine'
import type { Config } from '../config/config.ts'

/** The engine that delivers jobs to workers: in this process, or Restate. */
export function createEngine({ engine }: Pick<Config, 'engine'>, clock: Clock, log: EngineLog): RunEngine {
  const now = () => clock.now()
  if (engine.kind === 'local') return createLocalEngine({ concurrency: engine.concurrency, now, log })
  const { kind: _, ...restate } = engine
  return createRestateEngine({ ...restate, now, log })
}
