import { RENEW_MS, StorageLease } from './storage-lease.ts'

/** The handlers of a tab that becomes the reader, and of one that loses to another tab. */
export interface ReaderRole {
  begin(): void
  stop(): void
}

/** Makes one tab of the browser the reader until `signal` fires; then another one becomes it. */
export function electReader(name: string, tab: string, signal: AbortSignal, role: ReaderRole): void {
  // Plain http on another host than localhost has no locks.
  if ('locks' in navigator) {
    const read = () => {
      role.begin()
      return new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
    }
    navigator.locks.request(name, { signal }, read).catch(() => undefined)
    return
  }
  readByLease(new StorageLease(name, tab, localStorage, () => Date.now()), RENEW_MS, signal, role)
}

function readByLease(lease: StorageLease, renewMs: number, signal: AbortSignal, role: ReaderRole): void {
  let isReader = false
  const renew = () => {
    const holds = lease.hold()
    if (holds === isReader) return
    isReader = holds
    if (holds) role.begin()
    else role.stop()
  }
  renew()
  const timer = setInterval(renew, renewMs)
  addEventListener('pagehide', () => lease.release(), { signal })
  signal.addEventListener('abort', () => {
    clearInterval(timer)
    lease.release()
  })
}
