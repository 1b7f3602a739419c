/** Something that has just happened, shown for a moment in the corner of the page. */
export interface PageNotice {
  title: string
  detail?: string
  /** `bad` stays until it is dismissed or, without an action, displaced by later errors. */
  tone?: 'good' | 'bad'
  action?: { label: string; run(): void }
  /**
   * A later notice with the same subject replaces this one: the change that its action would undo has been superseded.
   */
  subject?: string
}

interface ShownNotice extends PageNotice {
  id: number
}

const SHOWN_MS = 5_000
/** A notice with an action needs time to read and decide. */
const SHOWN_WITH_ACTION_MS = 10_000
const MOST = 3

let notices: readonly ShownNotice[] = []
let lastId = 0
let isHeld = false
const timers = new Map<number, ReturnType<typeof setTimeout>>()
const listeners = new Set<() => void>()

function setNotices(next: readonly ShownNotice[]): void {
  notices = next
  for (const listener of listeners) listener()
}

/** Shows a notice. Errors that belong to a part of the page are shown there instead. */
export function showNotice(notice: PageNotice): void {
  lastId += 1
  const id = lastId
  const replaced = notices.filter((shown) => isSaidAgain(shown, notice))
  for (const former of replaced) stopTime(former.id)
  setNotices(withinMost([...notices.filter((shown) => !replaced.includes(shown)), { ...notice, id }]))
  if (!isHeld) startTime({ ...notice, id })
}

/**
 * While the user reads them or is about to press one of their buttons, none disappears; afterwards each has its full duration
 * again.
 */
export function holdNotices(isHeldNow: boolean): void {
  if (isHeldNow === isHeld) return
  isHeld = isHeldNow
  for (const timer of timers.values()) clearTimeout(timer)
  timers.clear()
  if (!isHeld) for (const notice of notices) startTime(notice)
}

function startTime({ id, tone, action }: ShownNotice): void {
  if (tone === 'bad') return
  timers.set(
    id,
    setTimeout(() => dismissNotice(id), action ? SHOWN_WITH_ACTION_MS : SHOWN_MS),
  )
}

/** A repeated notice replaces the previous one, as a new element, so that screen readers read it again. */
function isSaidAgain(shown: PageNotice, { title, tone, action, subject }: PageNotice): boolean {
  if (subject !== undefined && shown.subject === subject) return true
  // Two removals may have the same words, but each has its own undo.
  return !shown.action && !action && shown.title === title && shown.tone === tone
}

/** The oldest excess ones are removed, but none with an action and never the newest. Errors are removed only for later errors. */
function withinMost(all: readonly ShownNotice[]): readonly ShownNotice[] {
  const bad = all.filter(({ tone, action }) => tone === 'bad' && !action)
  const failed = new Set(bad.slice(0, Math.max(0, bad.length - MOST)))
  const left = all.filter((notice) => !failed.has(notice))
  const idle = left.slice(0, -1).filter(({ tone, action }) => tone !== 'bad' && !action)
  const gone = new Set(idle.slice(0, Math.max(0, left.length - MOST)))
  return left.filter((notice) => !gone.has(notice))
}

/** Dismisses the notices of a subject, which are outdated. */
export function withdrawNotices(about: string): void {
  for (const { id, subject } of notices) if (subject === about) dismissNotice(id)
}

function stopTime(id: number): void {
  clearTimeout(timers.get(id))
  timers.delete(id)
}

export function dismissNotice(id: number): void {
  stopTime(id)
  if (notices.some((notice) => notice.id === id)) setNotices(notices.filter((notice) => notice.id !== id))
}

export function currentNotices(): readonly ShownNotice[] {
  return notices
}

export function onNotices(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
