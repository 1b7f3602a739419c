import { useEffect, useRef, useSyncExternalStore } from 'react'
import { isComposing } from '../../core/keys/is-composing.ts'
import { createValueStore } from '../client/value-store.ts'
import { letterKeys } from '../preferences/preferences.ts'
import { type KeyBinding, KeySequences, nameOfKey, shellFirst } from './key-map.ts'

const bindings = createValueStore<readonly KeyBinding[]>([])
const sequences = new KeySequences(bindings.get, () => Date.now())

/** Every key that works on the page now, the shell's first. */
export function useKeyBindings(): readonly KeyBinding[] {
  return useSyncExternalStore(bindings.subscribe, bindings.get)
}

/** Adds keys while the component is on the page. They never fire in fields, and not while a dialog is open. */
export function useKeys(wanted: readonly KeyBinding[]): void {
  const latest = useRef(wanted)
  latest.current = wanted
  const signature = wanted.map(({ keys, label, refusal }) => `${keys}=${label}=${refusal ?? ''}`).join('\n')
  // biome-ignore lint/correctness/useExhaustiveDependencies: the signature changes with the keys
  useEffect(() => {
    const own = latest.current.map((binding, index) => ({
      ...binding,
      run: () => {
        const now = latest.current[index]
        if ((now?.refusal ?? null) === null) now?.run()
      },
    }))
    bindings.set(shellFirst([...bindings.get(), ...own]))
    return () => bindings.set(bindings.get().filter((one) => !own.includes(one)))
  }, [signature])
}

/** Handles the keyboard of the whole page, and reports why a key is inactive. Call once, in the shell. */
export function useKeyListener(onRefused: (why: string) => void): void {
  const told = useRef(onRefused)
  told.current = onRefused
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const key = nameOfKey(event)
      if (key === null || event.defaultPrevented || isComposing(event) || event.repeat) return
      const isCommand = key.startsWith('mod+')
      if (!isCommand && isTyping(event.target)) return
      if (!isCommand && key !== 'escape' && letterKeys.get() === 'off') return
      if (document.querySelector('[role="dialog"],[role="alertdialog"],[role="menu"]')) return
      const found = sequences.press(key)
      if (!found || (found.leavesFields && isTyping(event.target))) return
      event.preventDefault()
      if (found.refusal) told.current(found.refusal)
      else found.run()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}

const TYPED_INTO =
  'input,textarea,select,[contenteditable=""],[contenteditable="true"],[role="listbox"],[role="combobox"],[role="searchbox"]'

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(TYPED_INTO) !== null
}
