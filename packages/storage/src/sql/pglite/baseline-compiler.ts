import { setFlagsFromString } from 'node:v8'

/**
 * Keeps V8 from optimising WebAssembly in this process; must run before PGlite's first statement. The optimising
 * compiler needs 600 MB for one function of PostgreSQL (its expression interpreter), and statements through PGlite are
 * hardly faster for it. JavaScript is not affected.
 *
 * Its code counts calls for the inlining of the optimising compiler, which doubles their cost. `npm start` turns that off by
 * options of Node, because V8 crashes if they change after a module was compiled.
 */
export function useBaselineCompiler(): void {
  setFlagsFromString('--no-wasm-tier-up')
  setFlagsFromString('--no-wasm-dynamic-tiering')
}
