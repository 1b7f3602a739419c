/** A message of LiveKit's protocol in its JSON form. */
export type WireObject = Record<string, unknown>

/** An error as LiveKit sends it. */
export class DoubleError extends Error {
  override readonly name = 'DoubleError'
  readonly status: number
  readonly code: string
  readonly meta: Readonly<Record<string, string>> | undefined
  constructor(status: number, code: string, message: string, meta?: Readonly<Record<string, string>>) {
    super(message)
    this.status = status
    this.code = code
    this.meta = meta
  }
}

export function isWireObject(value: unknown): value is WireObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** LiveKit omits empty texts. */
export function textOf(body: WireObject, key: string): string {
  const value = body[key]
  return typeof value === 'string' ? value : ''
}

export function objectsOf(body: WireObject, key: string): WireObject[] {
  const value = body[key]
  return Array.isArray(value) ? value.filter(isWireObject) : []
}

/** A protobuf duration such as "30s" in milliseconds; null when absent. */
export function durationMs(body: WireObject, key: string): number | null {
  const text = textOf(body, key)
  return text.endsWith('s') ? Number(text.slice(0, -1)) * 1000 : null
}
