import { useEffect, useRef, useState } from 'react'
import { useSignedIn } from '../session/session.ts'
import { deleteValue, readValue, writeValue } from '../storage/browser-database.ts'
import { dropTail, leaveTail, takeTail } from '../storage/page-tail.ts'

/** What a person has typed and not saved. It outlives a reload, a crash and an expired sign-in. */
export interface Draft<T> {
  /** The edited value; null while there is no edit. */
  value: T | null
  /** The version of the server that the edit was made from, as the caller named it. */
  base: string | null
  /** Until the storage has been read, an edit may still be found. */
  isLoading: boolean
  /** False: the browser keeps nothing (full or forbidden), so a reload would lose the edit. */
  isKept: boolean
  edit(value: T, base: string): void
  /** After a save, or to give the edit up. */
  discard(): void
}

interface Stored {
  value: unknown
  base: string
}

const WRITE_AFTER_MS = 300

/**
 * Keeps an edit in IndexedDB, per person. `isValue` checks what an older build may have left there; a value that does not
 * fit is ignored.
 *
 * @param key what is edited: `agent/<id>`
 */
export function useDraft<T>(key: string, isValue: (value: unknown) => value is T): Draft<T> {
  const { person } = useSignedIn()
  const place = `draft/${person.userId}/${key}`
  const [state, setState] = useState<{ value: T | null; base: string | null; isLoading: boolean }>(NOTHING)
  const [isKept, setKept] = useState(true)
  const waiting = useRef<{ place: string; stored: Stored } | null>(null)
  const check = useRef(isValue)
  const lastWrite = useRef(0)
  const writeNow = useRef(() => {})

  useEffect(() => {
    let isCurrent = true
    setState(NOTHING)
    const tail = takeTail(place)
    const read = isStored(tail) ? writeValue(place, tail).then(() => tail) : readValue(place)
    read
      .catch(() => tail)
      .then((found) => {
        if (!isCurrent) return
        const fits = isStored(found) && check.current(found.value)
        // What was typed while the storage was read is newer.
        setState((typed) =>
          typed.value !== null || !fits ? { ...typed, isLoading: false } : loaded(found, check.current),
        )
      })
    return () => {
      isCurrent = false
    }
  }, [place])

  useEffect(() => {
    const write = () => {
      const next = waiting.current
      waiting.current = null
      lastWrite.current = Date.now()
      if (next)
        writeValue(next.place, next.stored).then(
          () => {
            dropTail(next.place)
            setKept(true)
          },
          () => setKept(false),
        )
    }
    writeNow.current = write
    // A page that goes away does not wait for IndexedDB, so the last edit is left where writing is synchronous.
    const leave = () => {
      if (waiting.current) leaveTail(waiting.current.place, waiting.current.stored)
      write()
    }
    const timer = setInterval(write, WRITE_AFTER_MS)
    addEventListener('pagehide', leave)
    return () => {
      clearInterval(timer)
      removeEventListener('pagehide', leave)
      write()
    }
  }, [])

  return {
    ...state,
    isKept,
    edit: (value, base) => {
      setState({ value, base, isLoading: false })
      waiting.current = { place, stored: { value, base } }
      if (Date.now() - lastWrite.current > WRITE_AFTER_MS) writeNow.current()
    },
    discard: () => {
      setState({ value: null, base: null, isLoading: false })
      waiting.current = null
      void deleteValue(place).catch(() => undefined)
    },
  }
}

const NOTHING = { value: null, base: null, isLoading: true }

function loaded<T>({ value, base }: Stored, isValue: (value: unknown) => value is T) {
  return isValue(value) ? { value, base, isLoading: false } : { ...NOTHING, isLoading: false }
}

function isStored(found: unknown): found is Stored {
  return (
    typeof found === 'object' &&
    found !== null &&
    'value' in found &&
    'base' in found &&
    typeof found.base === 'string'
  )
}
