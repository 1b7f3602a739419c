/** Maximum JSON bytes of the output of one node, and of all stored outputs of a run. */
export const MAX_OUTPUT_BYTES = 4 * 1024 * 1024
export const MAX_RUN_BYTES = 50 * 1024 * 1024

/** A larger output is not measured completely: rows of a node may all contain the same long text. */
export const MEASURED_OUTPUT_BYTES = 4 * MAX_OUTPUT_BYTES

/** `4 MB`, `1.3 MB`; rounded up, so that a size over the limit never reads as equal to it. */
export function megabytes(bytes: number): string {
  return `${Math.ceil((bytes / (1024 * 1024)) * 10) / 10} MB`
}

/** Why the output of a node is too large; null if it is not. */
export function outputFault(bytes: number): string | null {
  const size = `${bytes > MEASURED_OUTPUT_BYTES ? 'at least ' : ''}${megabytes(bytes)}`
  return bytes <= MAX_OUTPUT_BYTES
    ? null
    : `the output is ${size}, more than the ${megabytes(MAX_OUTPUT_BYTES)} of a node`
}

/** Why the stored outputs of a run are too large in total; null if they are not. */
export function runOutputsFault(bytes: number): string | null {
  return bytes <= MAX_RUN_BYTES
    ? null
    : `the outputs of the run are ${megabytes(bytes)} with this one, more than the ${megabytes(MAX_RUN_BYTES)} of a run`
}
