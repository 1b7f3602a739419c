/**
 * Functions of ECMAScript 2026 that pdf.js calls and Node 24 does not have. Without them, the layout of an XFA form
 * with a picture or a font throws, and the form has no pages and no text.
 */
export function defineMissingFunctions(): void {
  define(Uint8Array, 'fromBase64', (text: string) => Uint8Array.from(Buffer.from(text, 'base64')))
  define(Uint8Array.prototype, 'toBase64', function (this: Uint8Array) {
    return bufferOf(this).toString('base64')
  })
  define(Uint8Array.prototype, 'toHex', function (this: Uint8Array) {
    return bufferOf(this).toString('hex')
  })
  for (const { prototype } of [Map, WeakMap]) {
    define(prototype, 'getOrInsertComputed', getOrInsertComputed)
    define(prototype, 'getOrInsert', function (this: Store, key: never, value: unknown) {
      return getOrInsertComputed.call(this, key, () => value)
    })
  }
  // Rounded sums are exact enough for positions on a page.
  define(Math, 'sumPrecise', (values: Iterable<number>) => {
    let sum = 0
    for (const value of values) sum += value
    return sum
  })
}

/** The common methods of maps and weak maps. */
interface Store {
  has(key: never): boolean
  get(key: never): unknown
  set(key: never, value: unknown): unknown
}

function getOrInsertComputed(this: Store, key: never, compute: (key: never) => unknown): unknown {
  if (!this.has(key)) this.set(key, compute(key))
  return this.get(key)
}

function define(owner: object, name: string, value: (...given: never[]) => unknown): void {
  if (!(name in owner)) Object.defineProperty(owner, name, { value, configurable: true, writable: true })
}

function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}
