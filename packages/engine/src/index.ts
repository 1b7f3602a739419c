export type { EngineLog } from './delivery/engine-log.ts'
export { createLocalEngine, type LocalEngineOptions } from './local-engine.ts'
export {
  createRestateEngine,
  type RestateEngineOptions,
  type RestateWorkerOptions,
} from './restate/restate-engine.ts'
