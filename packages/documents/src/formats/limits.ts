const MB = 1024 * 1024

/** What one document may take. */
export interface ProcessLimits {
  /** Working time, in milliseconds, from the start of the process to its last byte. */
  timeoutMs: number
  /** Memory of the whole process (RSS), in bytes. */
  memoryBytes: number
  /** Part of it that is the heap of JavaScript, in MB. The rest is the program itself, and bytes outside of the heap. */
  heapMegabytes: number
  /** A larger file is not looked at: it would have to lie in memory as a whole. */
  fileBytes: number
}

export const PROCESS_LIMITS: ProcessLimits = {
  timeoutMs: 20_000,
  memoryBytes: 256 * MB,
  heapMegabytes: 160,
  fileBytes: 64 * MB,
}

/** What an archive (docx, xlsx) may hold. */
export const ZIP_LIMITS = {
  entries: 2_000,
  /** Counted, of all entries. */
  inflatedBytes: 128 * MB,
  /** Inflated bytes for each compressed byte of an entry, after the first MB. */
  ratio: 200,
  ratioFreeBytes: MB,
}

export const PDF_PAGES = 500
