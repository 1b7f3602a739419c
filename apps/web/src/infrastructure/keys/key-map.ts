/** A key or a sequence of two, as `KeyboardEvent.key` in lower case: `c`, `?`, `shift+a`, `mod+k`, `mod+shift+z`, `alt+arrowup`, `g a`. */
export type Keys = Lowercase<string>

export interface KeyBinding {
  keys: Keys
  /** Its description, for the list of keys. */
  label: string
  run(): void
  /** The reason why it is inactive; absent or null: active. */
  refusal?: string | null
  /** Works on every page, so it is not an action of the open page. */
  isOfShell?: boolean
  /** In a text field, the key belongs to the field, such as that of an undo. */
  leavesFields?: boolean
  /** The part of the page that has the focus listens to it itself; it is only listed here. */
  isLocal?: boolean
  /** Omitted from the list of keys, which mentions it elsewhere. */
  isUnlisted?: boolean
}

/** Time for the second key of a sequence. */
const SEQUENCE_MS = 1_200

/** Whether the command key is ⌘. */
export const isMac = /Mac|iP(hone|ad|od)/.test(globalThis.navigator?.platform ?? '')

/** The name of a key event; null for keys that bindings never use. */
export function nameOfKey(
  event: Pick<KeyboardEvent, 'key' | 'metaKey' | 'ctrlKey' | 'altKey' | 'shiftKey'>,
  isApple = isMac,
): string | null {
  if (['Shift', 'Control', 'Meta', 'Alt', 'AltGraph'].includes(event.key)) return null
  // Many layouts have signs such as [ on AltGr, which Windows reports as Ctrl and Alt, or on Option.
  if (event.altKey) {
    const isArrow = event.key.startsWith('Arrow') && !event.metaKey && !event.ctrlKey
    if (isArrow) return `alt+${event.key.toLowerCase()}`
    return isSign(event.key) ? event.key : null
  }
  const key = event.key === ' ' ? 'space' : event.key.toLowerCase()
  // Shift is part of a sign such as `?`, and a separate key with a letter.
  const shift = event.shiftKey && /^\p{L}$/u.test(key) ? 'shift+' : ''
  if (!event.metaKey && !event.ctrlKey) return `${shift}${key}`
  // The other one belongs to the system, or to the text: Ctrl+K deletes to the end of a line on a Mac.
  const isCommand = isApple ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey
  const isWithShift = event.shiftKey && shift === ''
  return isCommand && !isWithShift ? `mod+${shift}${key}` : null
}

const isSign = (key: string) => /^[\p{P}\p{S}]$/u.test(key)

/** Keys that are held, on a Mac and elsewhere. */
const HELD = { mod: ['⌘', 'Ctrl '], alt: ['⌥', 'Alt '], shift: ['⇧', 'Shift '] } as const

/** Keys as they are shown: `⌘K`, `G A`. */
export function shownKeys(keys: Keys, isMac: boolean): string {
  const names: Readonly<Record<string, string>> = {
    enter: '↵',
    escape: 'Esc',
    space: 'Space',
    arrowup: '↑',
    arrowdown: '↓',
    delete: 'Delete',
  }
  return keys
    .split(' ')
    .map((key) => {
      const plain = key.split('+').at(-1) || '+'
      const shown = names[plain] ?? (plain.length === 1 ? plain.toUpperCase() : plain)
      const held = (['mod', 'alt', 'shift'] as const).filter(
        (one) => key.startsWith(`${one}+`) || key.includes(`+${one}+`),
      )
      return held.map((one) => HELD[one][isMac ? 0 : 1]).join('') + shown
    })
    .join(' ')
}

/** The keys in the order of their list: the shell's, then those of the page in the order in which they were added. */
export function shellFirst(bindings: readonly KeyBinding[]): readonly KeyBinding[] {
  return bindings.toSorted((one, other) => Number(other.isOfShell ?? false) - Number(one.isOfShell ?? false))
}

/**
 * Finds the binding of pressed keys. `press` returns the action to run; the first key of a sequence returns null and is remembered.
 * Of several bindings of the same keys, the page's beats the shell's, regardless of order, and otherwise the last added one wins.
 */
export class KeySequences {
  readonly #bindings: () => readonly KeyBinding[]
  readonly #now: () => number
  #first: { key: string; atMs: number } | null = null

  constructor(bindings: () => readonly KeyBinding[], now: () => number) {
    this.#bindings = bindings
    this.#now = now
  }

  press(key: string): KeyBinding | null {
    const first = this.#first && this.#now() - this.#first.atMs < SEQUENCE_MS ? this.#first.key : null
    this.#first = null
    const found = (first && this.#find(`${first} ${key}`)) || this.#find(key)
    if (found) return found
    if (this.#bindings().some(({ keys }) => keys.startsWith(`${key} `)))
      this.#first = { key, atMs: this.#now() }
    return null
  }
  #find(pressed: string): KeyBinding | undefined {
    const all = this.#bindings().filter(({ keys, isLocal = false }) => keys === pressed && !isLocal)
    return all.findLast(({ isOfShell = false }) => !isOfShell) ?? all.at(-1)
  }
}
