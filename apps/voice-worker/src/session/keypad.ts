import { setTimeout as pause } from 'node:timers/promises'

const PAUSE_MS = 1_500

/** Collects the keys that a caller presses, until no further key follows for a while. */
export class Keypad implements Disposable {
  readonly #onKeys: (keys: string) => void
  #keys = ''
  #timer: NodeJS.Timeout | null = null

  constructor(onKeys: (keys: string) => void) {
    this.#onKeys = onKeys
  }

  press(key: string): void {
    this.#keys += key
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      const keys = this.#keys
      this.#keys = ''
      this.#onKeys(keys)
    }, PAUSE_MS)
  }

  [Symbol.dispose](): void {
    if (this.#timer) clearTimeout(this.#timer)
  }
}

/** The code of a key in a DTMF event. */
const CODES = '0123456789*#ABCD'
const KEY_MS = 250
/** The pause of a `w` in the digits of `send_dtmf`. */
const WAIT_MS = 500

/** Presses keys one after the other. */
export async function pressKeys(
  digits: string,
  publish: (code: number, key: string) => Promise<void>,
): Promise<void> {
  for (const key of digits) {
    const code = CODES.indexOf(key)
    if (code >= 0) await publish(code, key)
    await pause(code < 0 ? WAIT_MS : KEY_MS)
  }
}
