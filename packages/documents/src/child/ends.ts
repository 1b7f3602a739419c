/**
 * The last byte of the output of the process that parses a document: the result. Bytes from 0xf8 occur in no UTF-8 text. It is not an exit code,
 * because the process kills itself: an exit joins threads of V8 that may wait forever (https://github.com/nodejs/node/issues/54918).
 */
export const END_BYTES = { whole: 0xf8, broken: 0xf9, cut: 0xfa, password: 0xfb, outdated: 0xfc } as const
export type OwnEnd = keyof typeof END_BYTES

/** How the process ended by itself; null when it was killed or crashed. */
export function endOfByte(byte: number | undefined): OwnEnd | null {
  switch (byte) {
    case END_BYTES.whole:
      return 'whole'
    case END_BYTES.broken:
      return 'broken'
    case END_BYTES.cut:
      return 'cut'
    case END_BYTES.password:
      return 'password'
    case END_BYTES.outdated:
      return 'outdated'
    default:
      return null
  }
}
