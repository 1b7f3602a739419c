import { expect, test } from 'vitest'
import { type KeyBinding, KeySequences, nameOfKey, shellFirst, shownKeys } from './key-map.ts'

const binding = (keys: KeyBinding['keys'], label: string = keys): KeyBinding => ({
  keys,
  label,
  run: () => undefined,
})

test('a sequence runs within its time, and a single key at any time', () => {
  let now = 0
  const keys = new KeySequences(
    () => [binding('g a'), binding('c')],
    () => now,
  )
  expect([keys.press('g'), keys.press('a')?.keys]).toEqual([null, 'g a'])
  expect(keys.press('c')?.keys).toBe('c')
  keys.press('g')
  now = 2_000
  expect(keys.press('a')).toBeNull()
})

test('the binding that was added last wins', () => {
  const keys = new KeySequences(
    () => [binding('c', 'shell'), binding('c', 'page')],
    () => 0,
  )
  expect(keys.press('c')?.label).toBe('page')
})

test("a key of the page takes precedence over the shell's, even if the shell added it later", () => {
  const ofPage = { keys: 'j', label: 'page', run: () => {} } as const
  const ofShell = { keys: 'j', label: 'shell', run: () => {}, isOfShell: true } as const
  expect(
    new KeySequences(
      () => [ofPage, ofShell],
      () => 0,
    ).press('j'),
  ).toBe(ofPage)
  expect(
    new KeySequences(
      () => [ofShell],
      () => 0,
    ).press('j'),
  ).toBe(ofShell)
})

test("the list of keys begins with the shell's, regardless of when they were added", () => {
  const ofShell = (keys: KeyBinding['keys']) => ({ ...binding(keys), isOfShell: true })
  const added = [binding('e'), ofShell('?'), binding('c'), ofShell('g a')]
  expect(shellFirst(added).map(({ keys }) => keys)).toEqual(['?', 'g a', 'e', 'c'])
})

test('a sign on AltGr or Option of a layout is that sign, and a letter with Alt is not a key', () => {
  const german = { key: '[', metaKey: false, ctrlKey: true, altKey: true, shiftKey: false }
  expect(nameOfKey(german)).toBe('[')
  expect(nameOfKey({ ...german, ctrlKey: false, key: ']' })).toBe(']')
  expect(nameOfKey({ ...german, ctrlKey: false, key: 'e' })).toBeNull()
  expect(nameOfKey({ ...german, ctrlKey: false, key: '€' })).toBe('€')
  expect(nameOfKey({ ...german, key: 'AltGraph' })).toBeNull()
})

test('keys have names and are shown as people write them', () => {
  const event = { key: 'K', metaKey: false, ctrlKey: true, altKey: false, shiftKey: false }
  expect(nameOfKey(event, false)).toBe('mod+k')
  expect(nameOfKey({ ...event, key: 'Shift' })).toBeNull()
  expect([shownKeys('mod+k', true), shownKeys('mod+k', false), shownKeys('g a', true)]).toEqual([
    '⌘K',
    'Ctrl K',
    'G A',
  ])
})

test('commands are ⌘ on a Mac and Ctrl elsewhere, never the other one', () => {
  const k = { key: 'k', metaKey: false, ctrlKey: false, altKey: false, shiftKey: false }
  const [command, control] = [
    { ...k, metaKey: true },
    { ...k, ctrlKey: true },
  ]
  expect([nameOfKey(command, true), nameOfKey(control, true)]).toEqual(['mod+k', null])
  expect([nameOfKey(command, false), nameOfKey(control, false)]).toEqual([null, 'mod+k'])
})

test('Shift with a letter is a separate key, and part of a sign', () => {
  const z = { key: 'Z', metaKey: false, ctrlKey: true, altKey: false, shiftKey: true }
  expect(nameOfKey(z, false)).toBe('mod+shift+z')
  expect(nameOfKey({ ...z, shiftKey: false, key: 'Z' }, false)).toBe('mod+z')
  expect(nameOfKey({ ...z, ctrlKey: false }, false)).toBe('shift+z')
  expect(nameOfKey({ ...z, ctrlKey: false, key: '?' }, false)).toBe('?')
  expect(nameOfKey({ ...z, key: 'Enter' }, false)).toBeNull()
  expect([shownKeys('mod+shift+z', true), shownKeys('mod+shift+z', false)]).toEqual(['⌘⇧Z', 'Ctrl Shift Z'])
})

test('Alt with an arrow is a key', () => {
  const up = { key: 'ArrowUp', metaKey: false, ctrlKey: false, altKey: true, shiftKey: false }
  expect(nameOfKey(up)).toBe('alt+arrowup')
  expect(nameOfKey({ ...up, ctrlKey: true })).toBeNull()
  expect(shownKeys('alt+arrowup', false)).toBe('Alt ↑')
})
