export { BusyError } from './busy-error.ts'
export { createHeavyWork, type HeavyWork, type HeavyWorkLimits, type Piece } from './heavy-work.ts'
export { NOBODY } from './kinds.ts'
