import { totalmem } from 'node:os'

/** Memory of the server itself in MB: about 250 when idle. */
const SERVER_MB = 300
/** The maximum budget for tenants' work together, including on a large machine. */
const MOST_MB = 1_024
const LEAST_MB = 192
const LARGEST_PARSER_MB = 384
/** Memory of a Node process beside its heap. */
const PROCESS_MB = 40

/** Memory of heavy work, in MB. */
export interface HeavyMemory {
  /** The budget of all concurrent work. */
  budgetMb: number
  /** The limit of one process that parses a long text: half of the budget, but at least the need of a document of 1 MB. */
  parserMb: number
  /** The heap limit of that process. */
  parserHeapMb: number
}

/**
 * The memory left beside the server.
 *
 * @param limitBytes of the container, or of the machine
 */
export function memoryWithin(limitBytes: number): HeavyMemory {
  const left = Math.floor(limitBytes / 1024 / 1024) - SERVER_MB
  const budgetMb = Math.min(MOST_MB, Math.max(LEAST_MB, left))
  const parserMb = Math.min(LARGEST_PARSER_MB, Math.max(LEAST_MB, Math.floor(budgetMb / 2)))
  return { budgetMb, parserMb, parserHeapMb: parserMb - PROCESS_MB }
}

/** Without a limit, Node reports 0 or a number beyond the memory of any machine. */
export const HEAVY_MEMORY = memoryWithin(Math.min(process.constrainedMemory() || totalmem(), totalmem()))
