import { createStore, del, get, promisifyRequest, set } from 'idb-keyval'
import { clearTails, stopTails } from './page-tail.ts'

const NAME = 'troupe'
const STORE = 'values'

/** Below which key edits are kept, by person. */
export const DRAFTS = 'draft/'

let isKeeping = true
const store = createStore(NAME, STORE)

/** Reads a value of this browser; undefined when there is none. */
export function readValue(key: string): Promise<unknown> {
  return get(key, store)
}

/** Writes a value. Rejects when the storage is full or forbidden. */
export async function writeValue(key: string, value: unknown): Promise<void> {
  if (isKeeping) await set(key, value, store)
}

export async function deleteValue(key: string): Promise<void> {
  await del(key, store)
}

/** The keys that begin with a text. */
export async function keysBelow(prefix: string): Promise<string[]> {
  const range = IDBKeyRange.bound(prefix, `${prefix}\uffff`)
  const keys = await store('readonly', (values) => promisifyRequest(values.getAllKeys(range)))
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
