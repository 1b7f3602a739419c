import type { UserMemories } from '../ports/user-memories.ts'

/** Nothing is kept about anybody. */
export const NO_MEMORIES: UserMemories = {
  of: async () => [],
  change: async () => {},
  claim: async () => null,
  learned: async () => true,
}
