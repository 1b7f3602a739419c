import type { SandboxSchema } from './sandbox-schema.ts'
import { firstCharacters } from './words.ts'

/** Formats that no message could satisfy get a fixed valid value. */
const FORMATS: Record<string, string> = {
  'date-time': '2000-01-01T00:00:00Z',
  date: '2000-01-01',
  time: '00:00:00Z',
  email: 'sandbox@example.com',
  uri: 'https://example.com/',
  uuid: '00000000-0000-4000-8000-000000000000',
}

/** The message, cut to `maxLength` and filled up to `minLength`; further items of a list get a number, so that they differ. */
export function smallestString(schema: SandboxSchema, message: string, rank: number): string {
  const format = FORMATS[schema.format ?? '']
  if (format !== undefined) return format
  const suffix = rank === 0 ? '' : ` ${rank + 1}`
  const limit = schema.maxLength ?? Number.POSITIVE_INFINITY
  const text = firstCharacters(message, Math.max(0, limit - suffix.length)) + suffix
  return firstCharacters(text, limit).padEnd(schema.minLength ?? 0, '.')
}
