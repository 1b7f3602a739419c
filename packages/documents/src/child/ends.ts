/** Exit codes of the process that parses a document. Those from 2 to 13 and above 128 are Node's and the system's. */
export const EXIT_CODES = { whole: 0, broken: 1, cut: 40, password: 41, outdated: 42 } as const

/** How the process ended by itself; null when it was killed or crashed. */
export function endOfCode(code: number | null): keyof typeof EXIT_CODES | null {
  switch (code) {
    case EXIT_CODES.whole:
      return 'whole'
    case EXIT_CODES.broken:
      return 'broken'
    case EXIT_CODES.cut:
      return 'cut'
    case EXIT_CODES.password:
      return 'password'
    case EXIT_CODES.outdated:
      return 'outdated'
    default:
      return null
  }
}
