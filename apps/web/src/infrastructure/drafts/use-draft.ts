import { useEffect, useRef, useState } from 'react'
import { createValueStore } from '../client/value-store.ts'
import { useOrganizationId } from '../sign-in/organization-id.ts'
import { useSignedIn } from '../sign-in/session.ts'
import { DRAFTS, deleteValue, readValue, writeValue } from '../storage/browser-database.ts'
import { dropTail, leaveTail, readTail } from '../storage/page-tail.ts'
import { type DraftListener, onDraftNews, tellDraft } from './draft-news.ts'
import {
  forgetUncommitted,
  holdDraft,
  noteCommitted,
  noteRefusedWrite,
  type StoredDraft,
  uncommittedDraft,
  uncommittedPlaces,
} from './uncommitted-drafts.ts'

/** The origin of an edit: typed in this tab, found in the browser's storage, or sent by another tab that has it open. */
export type DraftOrigin = 'here' | 'storage' | 'elsewhere'

/** A user's unsaved input. It survives a reload, a crash and an expired session; all tabs of a browser share it. */
export interface Draft<T> {
  /** The edited value; null while there is no edit. */
  value: T | null
  /** The version of the server that the edit was made from, as the caller named it. */
  base: string | null
  origin: DraftOrigin
  /** Until the storage has been read, an edit may still be found. */
  isLoading: boolean
  /** False: the browser keeps nothing (full or forbidden), so a reload would lose the edit. */
  isKept: boolean
  edit(value: T, base: string): void
  /** The edit with the last key, which may not be rendered yet. */
  latest(): { value: T; base: string } | null
  /** Discards the edit. */
  discard(): void
  /**
   * After a save of `sent`, null without an edit: later input is kept, as the edit that `onTop` makes of it.
   *
   * @returns whether everything is saved
   */
  settle(sent: T | null, onTop: (later: T) => { value: T; base: string }): boolean
}

const WRITE_AFTER_MS = 300

// A page that unloads does not wait for IndexedDB, so each unwritten edit is stored synchronously: a waiting one, and one in the
// process of being written, even if its form is closed.
addEventListener('pagehide', () => {
  for (const place of uncommittedPlaces('')) leaveTail(place, uncommittedDraft(place))
})

/**
 * Stores an edit in IndexedDB, per user and organization. `isValue` validates data of older builds; an invalid value is ignored.
 *
 * @param key the edited resource: `agent/<id>`
 */
export function useDraft<T>(key: string, isValue: (value: unknown) => value is T): Draft<T> {
  const place = usePlaceOf()(key)
  const [state, setState] = useState<DraftState<T>>(NOTHING)
  const [isKept, setKept] = useState(true)
  const readPlace = useRef(place)
  const waiting = useRef<{ place: string; stored: StoredDraft } | null>(null)
  const ownListener = useRef<DraftListener>(undefined)
  const check = useRef(isValue)
  const lastWrite = useRef(0)
  const writeNow = useRef(() => {})
  /** The current edit, for callers that started waiting with an older one. */
  const newest = useRef<{ value: T; base: string } | null>(null)
  const { value, base } = state
  newest.current = value === null || base === null ? null : { value, base }

  useEffect(() => {
    let isCurrent = true
    // Not on the first run: effects may run after the first key that is typed into a form that has just opened.
    if (readPlace.current !== place) setState(NOTHING)
    readPlace.current = place
    void readKeptDraft(place).then((found) => {
      if (!isCurrent) return
      const fits = found !== null && check.current(found.value)
      // Input during the read of the storage is newer.
      setState((typed) =>
        typed.value !== null || !fits
          ? { ...typed, isLoading: false }
          : loaded(found, 'storage', check.current),
      )
    })
    const listener: DraftListener = (draft) => {
      waiting.current = null
      setState(draft === null ? GIVEN_UP : loaded(draft, 'elsewhere', check.current))
    }
    ownListener.current = listener
    const stop = onDraftNews(place, listener)
    return () => {
      isCurrent = false
      stop()
    }
  }, [place])

  useEffect(() => {
    const write = () => {
      const next = waiting.current
      waiting.current = null
      lastWrite.current = Date.now()
      if (next) void commit(next.place, next.stored, ownListener.current).then(setKept)
    }
    writeNow.current = write
    const timer = setInterval(write, WRITE_AFTER_MS)
    addEventListener('pagehide', write)
    return () => {
      clearInterval(timer)
      removeEventListener('pagehide', write)
      write()
    }
  }, [])

  const edit = (value: T, base: string) => {
    newest.current = { value, base }
    setState({ value, base, origin: 'here', isLoading: false })
    const stored = { value, base }
    waiting.current = { place, stored }
    holdDraft(place, stored)
    if (Date.now() - lastWrite.current > WRITE_AFTER_MS) writeNow.current()
  }
  const discard = () => {
    newest.current = null
    setState(GIVEN_UP)
    waiting.current = null
    forget(place, ownListener.current)
  }
  const settle: Draft<T>['settle'] = (sent, onTop) => {
    const later = newest.current?.value ?? null
    if (later === null || JSON.stringify(later) === JSON.stringify(sent)) {
      discard()
      return true
    }
    const { value, base } = onTop(later)
    edit(value, base)
    return false
  }
  return { ...state, isKept, edit, latest: () => newest.current, discard, settle }
}

/** Discards this user's input at a key whose form is not open. */
export function useForgetDraft(): (key: string) => void {
  const placeOf = usePlaceOf()
  return (key) => forget(placeOf(key))
}

/** Changes after each restored edit, for components that list edits. */
export const putBacks = createValueStore(0)

/**
 * Restores an edit at its key. False: something newer was typed there, which is replaced only if `isSure`.
 */
export type PutBack = (isSure?: boolean) => Promise<boolean>

/** The same, with undo: returns a function that restores the edit. */
export function useTakeDraft(): (key: string) => Promise<PutBack> {
  const placeOf = usePlaceOf()
  return async (key) => {
    const place = placeOf(key)
    const found = await readKeptDraft(place)
    forget(place)
    return async (isSure = false) => found === null || putBackAt(place, found, isSure)
  }
}

/** Restores a discarded edit at its key, for a user who has left its page. */
export function usePutBack(): (key: string, value: unknown, base: string) => PutBack {
  const placeOf = usePlaceOf()
  return (key, value, base) => {
    const place = placeOf(key)
    return (isSure = false) => putBackAt(place, { value, base }, isSure)
  }
}

async function putBackAt(place: string, stored: StoredDraft, isSure: boolean): Promise<boolean> {
  // The second check covers input during the read of the storage.
  const isTaken = (await readKeptDraft(place)) !== null || uncommittedDraft(place) !== undefined
  if (isTaken && !isSure) return false
  holdDraft(place, stored)
  void commit(place, stored)
  putBacks.set(putBacks.get() + 1)
  return true
}

/**
 * Changes the stored edit of a key whose form may be closed; null: there is none. `change` is called with the newest input, also
 * with keys that are typed while the storage is read, and its result is stored at once: none of them is replaced.
 */
export function useChangeKept(): <T>(
  key: string,
  change: (stored: StoredDraft | null) => { next: StoredDraft | null; result: T },
) => Promise<T> {
  const placeOf = usePlaceOf()
  return async (key, change) => {
    const place = placeOf(key)
    const found = await readKeptDraft(place)
    // Typed during the read of the storage.
    const stored = uncommittedDraft(place) ?? found
    const { next, result } = change(stored)
    if (next === stored) return result
    if (next === null) forget(place)
    else {
      holdDraft(place, next)
      void commit(place, next)
    }
    putBacks.set(putBacks.get() + 1)
    return result
  }
}

/** The same as {@link useForgetDraft}, if it is still the sent text: later input stays. */
export function useForgetSent(): (key: string, sent: string) => Promise<void> {
  const placeOf = usePlaceOf()
  return async (key, sent) => {
    const place = placeOf(key)
    if ((await readKeptDraft(place))?.value === sent) forget(place)
  }
}

/** The scope of edits outside any organization. */
export const NO_ORGANIZATION = 'none'

/** The storage scope of edits: a user and an organization, so that others do not see them. */
export function usePlaceOf(): (key: string) => string {
  const { person } = useSignedIn()
  const organizationId = useOrganizationId()
  return (key) => `${DRAFTS}${person.userId}/${organizationId ?? NO_ORGANIZATION}/${key}`
}

/**
 * Stores a value at a place that no form edits. False: the storage is full or forbidden, and only the page has it.
 */
export function keepValue(place: string, stored: StoredDraft): Promise<boolean> {
  holdDraft(place, stored)
  return store(place, stored)
}

/** Discards the stored edit of a key. */
export function forgetKept(place: string): void {
  forget(place)
}

function forget(place: string, from?: DraftListener): void {
  forgetUncommitted(place)
  dropTail(place)
  void deleteValue(place).catch(() => undefined)
  tellDraft(place, null, from)
}

type DraftState<T> = Pick<Draft<T>, 'value' | 'base' | 'origin' | 'isLoading'>

const NOTHING: DraftState<never> = { value: null, base: null, origin: 'storage', isLoading: true }
const GIVEN_UP: DraftState<never> = { ...NOTHING, isLoading: false }

/** The stored edits of a key, newest first: an unwritten one of this page, one left by an unloaded page, the storage. */
export async function readKeptDraft(place: string): Promise<StoredDraft | null> {
  const held = uncommittedDraft(place)
  if (held) return held
  const tail = readTail(place)
  if (isStored(tail)) {
    // Without a notification: another tab may have newer input.
    await store(place, tail)
    return tail
  }
  const found = await readValue(place).catch(() => undefined)
  return isStored(found) ? found : null
}

/** Writes a draft and notifies others that show it. False: the storage is full or forbidden. */
function commit(place: string, stored: StoredDraft, from?: DraftListener): Promise<boolean> {
  tellDraft(place, stored, from)
  return store(place, stored)
}

async function store(place: string, stored: StoredDraft): Promise<boolean> {
  try {
    await writeValue(place, stored)
  } catch {
    noteRefusedWrite(place)
    return false
  }
  dropTail(place)
  noteCommitted(place, stored)
  return true
}

function loaded<T>(
  { value, base }: StoredDraft,
  origin: DraftOrigin,
  isValue: (value: unknown) => value is T,
): DraftState<T> {
  return isValue(value) ? { value, base, origin, isLoading: false } : GIVEN_UP
}

function isStored(found: unknown): found is StoredDraft {
  return (
    typeof found === 'object' &&
    found !== null &&
    'value' in found &&
    'base' in found &&
    typeof found.base === 'string'
  )
}
