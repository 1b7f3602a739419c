import type { NodeHandler, NodeHandlers } from '@troupe/workflows/ports'
import type { ExecutedType } from './definitions.ts'
import { EVERY_HANDLER } from './generated/handlers.ts'

/** A handler for every executable type; a missing one does not compile. */
const HANDLERS: Readonly<Record<ExecutedType, NodeHandler>> = EVERY_HANDLER

/** The node handlers by type. */
export const NODE_HANDLERS: NodeHandlers = new Map(Object.entries(HANDLERS))
