import { LONGEST_SLUG } from '@troupe/contract'
import { expect, test } from 'vitest'
import { CallFailure } from '../client/call-failure.ts'
import { withFreeSlug } from './with-free-slug.ts'

/** Creates resources whose slugs are not in `taken`; `refusedWith` is the code of a refusal. */
function server(taken: readonly string[], refusedWith: 'slug_taken' | 'validation_error' = 'slug_taken') {
  const asked: string[] = []
  const create = async (slug: string, onFailure: (failure: CallFailure) => void) => {
    asked.push(slug)
    if (!taken.includes(slug)) return slug
    onFailure(new CallFailure(refusedWith, 'refused', { status: 409 }))
    return null
  }
  return { asked, create }
}

test('a name has its slug, and one without a usable character that of its kind', async () => {
  const { create } = server([])
  expect(await withFreeSlug({ name: 'My Carrier', fallback: 'trunk' }, create)).toBe('my-carrier')
  expect(await withFreeSlug({ name: 'Колл-центр', fallback: 'trunk' }, create)).toBe('trunk')
})

test('the second resource of a name gets a slug with a suffix, within the maximum length', async () => {
  const long = 'a'.repeat(LONGEST_SLUG)
  const { create } = server(['crm', long])
  expect(await withFreeSlug({ name: 'CRM', fallback: 'x' }, create)).toMatch(/^crm-[0-9a-f]{6}$/)
  const hinted = await withFreeSlug({ name: long, fallback: 'x' }, create)
  expect(hinted).toMatch(/^a+-[0-9a-f]{6}$/)
  expect(hinted).toHaveLength(LONGEST_SLUG)
})

test('no other refusal is retried', async () => {
  const { asked, create } = server(['crm'], 'validation_error')
  expect(await withFreeSlug({ name: 'CRM', fallback: 'x' }, create)).toBeNull()
  expect(asked).toEqual(['crm'])
})
