import { HEAVY_MEMORY } from './memory.ts'

const { parserMb } = HEAVY_MEMORY

/** The static properties of a kind of heavy work. */
interface Kind {
  /** The plural of its name in messages. */
  words: string
  /** Maximum memory of one piece in MB: the limit of its thread or process. */
  memoryMb: number
  /** Maximum concurrent pieces of all owners; null: as many as there are places. */
  atOnce: number | null
  /** Maximum waiting pieces of one owner. They keep their input in memory, whose bytes have a limit of their own (`heldBytes`). */
  waiting: number
}

/** Every kind of work that is too heavy for the event loop. Work that is not listed here cannot be scheduled. */
export const KINDS = {
  /** Tenants' scripts, executed or compiled, each in a thread. Each declares its own memory limit. */
  script: { words: 'scripts', memoryMb: 128, atOnce: null, waiting: 50 },
  /** OpenAPI documents, each in a process (`packages/tools/src/openapi`). */
  openapi: { words: 'OpenAPI documents', memoryMb: parserMb, atOnce: null, waiting: 8 },
  /** Bundles, each in a process (`packages/bundles/src/read`). */
  bundle: { words: 'bundles', memoryMb: parserMb, atOnce: null, waiting: 4 },
  /** Exports of other products, each in a process (`packages/bundles/src/foreign`). */
  import: { words: 'imports', memoryMb: parserMb, atOnce: null, waiting: 4 },
  /** PDF, Word, spreadsheets and pages, each in a process (`packages/documents`). */
  document: { words: 'documents', memoryMb: 256, atOnce: null, waiting: 20 },
  /** Zip archives of skills, inflated in this process (`packages/documents/src/archives`). */
  archive: { words: 'archives', memoryMb: 8, atOnce: null, waiting: 20 },
  /** Documents downloaded from other servers into this process: the text, and the bytes of the response. They occupy no place. */
  download: { words: 'documents of other servers', memoryMb: 48, atOnce: null, waiting: 64 },
  /** bcrypt, a quarter of a second of one core each. It occupies one of libuv's four threads, which files and DNS need too. */
  password: { words: 'passwords', memoryMb: 1, atOnce: 2, waiting: 100 },
} as const satisfies Record<string, Kind>

export type HeavyKind = keyof typeof KINDS

/** The owner of work that belongs to no organization: sign-ins, and operations of the operator. */
export const NOBODY = 'no organization'
