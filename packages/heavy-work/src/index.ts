export { BusyError } from './busy-error.ts'
export { createHeavyWork, type HeavyWork } from './heavy-work.ts'
export { NOBODY } from './kinds.ts'
export { HEAVY_MEMORY } from './memory.ts'
