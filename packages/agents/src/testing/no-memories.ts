import type { UserMemories } from '../ports/user-memories.ts'

/** No memories. */
export const NO_MEMORIES: UserMemories = {
  of: async () => [],
  change: async () => {},
  claim: async () => null,
  learned: async () => true,
}
