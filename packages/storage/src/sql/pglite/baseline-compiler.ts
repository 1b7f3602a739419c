import { setFlagsFromString } from 'node:v8'

/**
 * Keeps V8 from optimising WebAssembly in this process; must run before PGlite's first statement. The optimising
 * compiler needs 600 MB for one function of PostgreSQL (its expression interpreter), and statements through PGlite are
 * hardly faster for it. JavaScript is not affected.
 */
export function useBaselineCompiler(): void {
  setFlagsFromString('--no-wasm-tier-up')
  setFlagsFromString('--no-wasm-dynamic-tiering')
}
