import type { IdText, UserId } from '@troupe/contract'
import { createStore, del, get, promisifyRequest, set } from 'idb-keyval'
import { clearTails, stopTails } from './page-tail.ts'

const NAME = 'troupe'
const STORE = 'values'

/** Prefix of the keys of edits, by user. */
export const DRAFTS = 'draft/'

let isKeeping = true
const store = createStore(NAME, STORE)

/** Reads a value of this browser; undefined without one. */
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

/** The keys with a prefix. */
export async function keysBelow(prefix: string): Promise<string[]> {
  const range = IDBKeyRange.bound(prefix, `${prefix}\uffff`)
  const keys = await store('readonly', (values) => promisifyRequest(values.getAllKeys(range)))
  return keys.filter((key) => typeof key === 'string')
}

/** From now on this page stores nothing: the user is signing out, and pending data belongs to them. */
export function stopKeeping(): void {
  isKeeping = false
  stopTails()
}

/** Whether the user is signing out of this page. Unsaved input causes no further prompt then: the user has already confirmed. */
export const hasStoppedKeeping = () => !isKeeping

/** Deletes everything that pages have stored here, except other users' unsent input. */
export async function forgetPerson(userId: IdText<UserId>): Promise<void> {
  const own = `${DRAFTS}${userId}/`
  clearTails(own)
  const keys = await keysBelow('')
  for (const key of keys) if (key.startsWith(own) || !key.startsWith(DRAFTS)) await deleteValue(key)
}
