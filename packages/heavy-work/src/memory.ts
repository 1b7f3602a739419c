import { totalmem } from 'node:os'

/** What the server itself takes, in MB: about 250 when idle. */
const SERVER_MB = 300
/** Largest budget: also on a large machine tenants' work together does not take more. */
const MOST_MB = 1_024
const LEAST_MB = 192
const LARGEST_PARSER_MB = 384
/** What a process of Node takes beside its heap. */
const PROCESS_MB = 40

/** Memory of heavy work, in MB. */
export interface HeavyMemory {
  /** Of everything that works at the same time. */
  budgetMb: number
  /** Of one process that parses a long text: half of the budget, but not less than a document of 1 MB needs. */
  parserMb: number
  /** The part of it that is the heap of the process. */
  parserHeapMb: number
}

/**
 * What is left beside the server.
 *
 * @param limitBytes of the container, or of the machine
 */
export function memoryWithin(limitBytes: number): HeavyMemory {
  const left = Math.floor(limitBytes / 1024 / 1024) - SERVER_MB
  const budgetMb = Math.min(MOST_MB, Math.max(LEAST_MB, left))
  const parserMb = Math.min(LARGEST_PARSER_MB, Math.max(LEAST_MB, Math.floor(budgetMb / 2)))
  return { budgetMb, parserMb, parserHeapMb: parserMb - PROCESS_MB }
}

/** Without a limit, Node says 0 or a number that no machine has. */
export const HEAVY_MEMORY = memoryWithin(Math.min(process.constrainedMemory() || totalmem(), totalmem()))
