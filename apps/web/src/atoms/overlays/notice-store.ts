/** Something that has just happened, shown for a moment in the corner of the page. */
export interface PageNotice {
  title: string
  detail?: string
  /** `bad` stays until it is dismissed. */
  tone?: 'good' | 'bad'
  action?: { label: string; run(): void }
}

interface ShownNotice extends PageNotice {
  id: number
}

const SHOWN_MS = 5_000
/** With an action there is something to read and to decide. */
const SHOWN_WITH_ACTION_MS = 10_000
const MOST = 3

let notices: readonly ShownNotice[] = []
let lastId = 0
const listeners = new Set<() => void>()

function setNotices(next: readonly ShownNotice[]): void {
  notices = next
  for (const listener of listeners) listener()
}

/** Shows a notice. For what failed in a place of the page, the place says so, not a notice. */
export function showNotice(notice: PageNotice): void {
  lastId += 1
  const id = lastId
  setNotices([...notices, { ...notice, id }].slice(-MOST))
  if (notice.tone !== 'bad')
    setTimeout(() => dismissNotice(id), notice.action ? SHOWN_WITH_ACTION_MS : SHOWN_MS)
}

export function dismissNotice(id: number): void {
  if (notices.some((notice) => notice.id === id)) setNotices(notices.filter((notice) => notice.id !== id))
}

export function currentNotices(): readonly ShownNotice[] {
  return notices
}

export function onNotices(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
