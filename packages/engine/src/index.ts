export type { EngineLog } from './engine-log.ts'
export { createLocalEngine, type LocalEngineOptions } from './local-engine.ts'
