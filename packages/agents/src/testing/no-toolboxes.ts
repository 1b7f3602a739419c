import type { Toolboxes } from '../ports/toolbox.ts'

/** Toolboxes without tools. */
export const NO_TOOLBOXES: Toolboxes = {
  open: async () => ({ tools: [], [Symbol.asyncDispose]: async () => {} }),
}
