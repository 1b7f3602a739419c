import type { InstanceBudget } from './instance-budget.ts'
import type { SandboxSchema } from './sandbox-schema.ts'
import { firstCharacters } from './words.ts'

/** Fixed valid values for formats that a message cannot satisfy. */
const FORMATS: Record<string, string> = {
  'date-time': '2000-01-01T00:00:00Z',
  date: '2000-01-01',
  time: '00:00:00Z',
  email: 'sandbox@example.com',
  uri: 'https://example.com/',
  uuid: '00000000-0000-4000-8000-000000000000',
}

/**
 * The message, truncated to `maxLength` and the remaining budget, and padded to `minLength`; further items of a list
 * get a number, so that they differ.
 *
 * @throws InstanceTooLarge for a `minLength` that exceeds the remaining budget
 */
export function smallestString(
  schema: SandboxSchema,
  { message, budget }: { message: string; budget: InstanceBudget },
  rank: number,
): string {
  const format = FORMATS[schema.format ?? '']
  if (format !== undefined) return format
  const suffix = rank === 0 ? '' : ` ${rank + 1}`
  const limit = Math.min(schema.maxLength ?? Number.POSITIVE_INFINITY, budget.characters)
  const text = firstCharacters(message, Math.max(0, limit - suffix.length)) + suffix
  const cut = firstCharacters(text, limit)
  const length = Math.max(cut.length, schema.minLength ?? 0)
  budget.text(length)
  return cut.padEnd(length, '.')
}
