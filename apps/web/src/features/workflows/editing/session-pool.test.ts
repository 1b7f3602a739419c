import { expect, test } from 'vitest'
import { SessionPool } from './session-pool.ts'

const session = (name: string, isIdle = true) => ({ name, isIdle })
const namesOf = (pool: SessionPool<ReturnType<typeof session>>) => pool.values().map(({ name }) => name)

test('a session is made once, and of idle ones those that were used last stay', () => {
  const pool = new SessionPool<ReturnType<typeof session>>(2)
  const open = (name: string) => pool.get(name, () => session(name))
  const [first] = ['a', 'b', 'c'].map(open)
  expect(open('a')).toBe(first)
  open('d')
  expect(namesOf(pool)).toEqual(['c', 'a', 'd'])
  open('e')
  expect(namesOf(pool)).toEqual(['a', 'd', 'e'])
  expect(open('c')).not.toBe(first)
})

test('a session with something to save, or that a component follows, is never dropped', () => {
  const pool = new SessionPool<ReturnType<typeof session>>(0)
  pool.get('unsaved', () => session('unsaved', false))
  pool.get('idle', () => session('idle'))
  pool.get('opened', () => session('opened'))
  expect(namesOf(pool)).toEqual(['unsaved', 'opened'])
})
