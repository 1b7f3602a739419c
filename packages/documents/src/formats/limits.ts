const MB = 1024 * 1024

/** The resource limits of one document. */
export interface ProcessLimits {
  /** Milliseconds of CPU time of the process. It may last six times as long on a busy machine. */
  timeoutMs: number
  /** Memory of the whole process (RSS), in bytes. */
  memoryBytes: number
  /** The JavaScript heap's share of it, in MB. The rest is the program and memory outside the heap. */
  heapMegabytes: number
  /** Larger files are refused, because a file is read into memory completely. */
  fileBytes: number
}

export const PROCESS_LIMITS: ProcessLimits = {
  timeoutMs: 20_000,
  memoryBytes: 256 * MB,
  heapMegabytes: 160,
  fileBytes: 64 * MB,
}

/** The limits of an archive (docx, xlsx). */
export const ZIP_LIMITS = {
  entries: 2_000,
  /** Measured over all entries, not declared. */
  inflatedBytes: 128 * MB,
  /** Inflated bytes per compressed byte of an entry, beyond the first MB. */
  ratio: 200,
  ratioFreeBytes: MB,
}

export const PDF_PAGES = 2_000
