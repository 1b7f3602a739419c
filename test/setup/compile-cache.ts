import { join } from 'node:path'

/**
 * Keeps what V8 and the type stripping of Node make of a module, for the workers and for the servers that tests start: a
 * server's modules load in 1 s instead of 4 (CPU).
 */
export function setup(): void {
  process.env.NODE_COMPILE_CACHE ??= join(
    import.meta.dirname,
    '..',
    '..',
    'node_modules',
    '.cache',
    'compiled-modules',
  )
}
