import { signInPath } from './next-path.ts'
import type { People } from './people.ts'
import { createOriginCheck } from './same-origin.ts'

/** A server where nobody signs in. */
export function nobodySignsIn(publicUrl: string): People {
  return {
    signedIn: async () => null,
    requireSameOrigin: createOriginCheck(publicUrl),
    signInPath,
  }
}
