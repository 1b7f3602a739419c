import { expect, test } from 'vitest'
import { closest } from './closest.ts'

test.for<[string, string, string | null]>([
  ['massage', 'message', 'message'],
  ['Message', 'message', 'message'],
  ['mesage', 'message', 'message'],
  ['messages', 'message', 'message'],
  ['emssage', 'message', 'message'],
  ['ssage', 'message', 'message'],
  ['remessage', 'message', 'message'],
  ['essagee', 'message', 'message'],
  ['sage', 'message', null],
  ['eessagee', 'message', 'message'],
  ['masfage', 'message', 'message'],
  ['masfags', 'message', null],
  ['essagess', 'message', null],
  ['ab', 'cd', null],
  ['a', 'b', null],
  ['ad', 'ab', 'ab'],
])('the closest to %s of the one name %s is %s', ([written, name, found]) => {
  expect(closest(written, [name])).toBe(found)
})

test('of several names the one at the smallest distance is the closest, of equal ones the first', () => {
  expect(closest('mails', ['malts', 'mailed', 'mail'])).toBe('mail')
  expect(closest('mail', ['mall', 'maid'])).toBe('mall')
})

test('a long name is found by a change at its end as well as at its start', () => {
  const name = 'abcdefgh'.repeat(8)
  expect(closest(`x${name.slice(0, -1)}`, [name])).toBe(name)
  expect(closest(`${name.slice(0, -2)}xx`, [name])).toBe(name)
  expect(closest(`xx${name.slice(0, -3)}h`, [name])).toBeNull()
})
