/**
 * How long the provider asks to wait, in ms; null when the header is absent or invalid. Reads `retry-after-ms`, then
 * `retry-after` as seconds or as an HTTP date.
 *
 * @param now milliseconds since the epoch
 */
export function retryAfterMs(headers: Record<string, string>, now: number): number | null {
  const ms = Number.parseFloat(headers['retry-after-ms'] ?? '')
  if (ms >= 0) return ms
  const value = headers['retry-after']
  if (value === undefined) return null
  const seconds = Number(value)
  if (value.trim() !== '' && seconds >= 0) return seconds * 1000
  const date = Date.parse(value)
  return Number.isNaN(date) ? null : Math.max(0, date - now)
}
