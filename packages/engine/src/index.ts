export type { EngineLog } from './engine-log.ts'
export { createLocalEngine, type LocalEngineOptions } from './local-engine.ts'
export {
  createRestateEngine,
  type RestateEngineOptions,
  type RestateWorkerOptions,
} from './restate-engine.ts'
