import { clearTails, stopTails } from './page-tail.ts'

const NAME = 'troupe'
const STORE = 'values'

/** Below which key edits are kept, by person. */
export const DRAFTS = 'draft/'

let isKeeping = true
let opened: Promise<IDBDatabase> | null = null

function open(): Promise<IDBDatabase> {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1)
    request.onupgradeneeded = () => request.result.createObjectStore(STORE)
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
  return opened
}

async function inStore<T>(
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  const database = await open()
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(STORE, mode)
    const request = act(transaction.objectStore(STORE))
    // A write counts when it is committed, which a full disk still can prevent after the request.
    transaction.oncomplete = () => resolve(request.result)
    transaction.onabort = () => reject(transaction.error)
  })
}

/** Reads a value of this browser; undefined when there is none. */
export function readValue(key: string): Promise<unknown> {
  return inStore('readonly', (store) => store.get(key))
}

/** Writes a value. Rejects when the storage is full or forbidden. */
export async function writeValue(key: string, value: unknown): Promise<void> {
  if (!isKeeping) return
  await inStore('readwrite', (store) => store.put(value, key))
}

export async function deleteValue(key: string): Promise<void> {
  await inStore('readwrite', (store) => store.delete(key))
}

/** The keys that begin with a text. */
export async function keysBelow(prefix: string): Promise<string[]> {
  const range = IDBKeyRange.bound(prefix, `${prefix}\uffff`)
  const keys = await inStore('readonly', (store) => store.getAllKeys(range))
  return keys.filter((key) => typeof key === 'string')
}

/** From now on this page keeps nothing: somebody signs out, and what is still on its way belongs to them. */
export function stopKeeping(): void {
  isKeeping = false
  stopTails()
}

/** Whether somebody signs out of this page. Nothing typed is asked about then: the person was asked already. */
export const hasStoppedKeeping = () => !isKeeping

/** Forgets what pages have kept here, but for what another person has typed and not sent. */
export async function forgetPerson(userId: string): Promise<void> {
  const own = `${DRAFTS}${userId}/`
  clearTails(own)
  const keys = await keysBelow('')
  for (const key of keys) if (key.startsWith(own) || !key.startsWith(DRAFTS)) await deleteValue(key)
}
