import { isJsonObject } from '@troupe/contract'
import { repeatedId } from '../streams/repeated-calls.ts'
import { JsonObjectEnd } from './json-object-end.ts'

/** Maximum remembered calls of one answer. */
const MAX_CALLS = 256
/** The first index for calls whose own index is used by another call. */
const FREE_INDEXES = 10_000

type Json = Record<string, unknown>

/** The state of a call in an answer. */
interface StreamedCall {
  /** The server's id; undefined until it is sent. */
  id: string | undefined
  index: number
  /** Its id for the package: a repeated id of the server is marked. */
  sent: { id: string | undefined; index: number }
  /** '' until known. */
  name: string
  args: JsonObjectEnd
  /** Whether the server has repeated its name after its arguments were complete: another call follows. */
  isNamedAgain: boolean
}

/** How the package must see the delta of a call. */
export interface SentDelta {
  index: unknown
  id: unknown
  /** Set if the delta starts a call but has no name. */
  name?: string
}

function hasArguments(args: unknown): boolean {
  return typeof args === 'string' ? args.trim() !== '' : isJsonObject(args)
}

/**
 * The calls of one answer of the chat protocol. A call without an index is the call of its id, a new one, or continues
 * the last. A call with the id of an earlier call gets the id of a repetition, because the packages would invent one: a
 * server that repeats a whole call could then not be distinguished from one that makes two calls.
 */
export class CallIndexes {
  readonly #byId = new Map<string, StreamedCall>()
  readonly #byIndex = new Map<number, StreamedCall>()
  #last: StreamedCall | null = null
  #next = 0
  #repetitions = 0

  /** A delta as the package must see it; with its own index and id if it reads them correctly. */
  of(delta: Json): SentDelta {
    const { index, id } = delta
    if (typeof index !== 'number' && index !== undefined && index !== null) return { index, id }
    const given = typeof id === 'string' && id !== '' ? id : undefined
    const { name, arguments: args } = isJsonObject(delta.function) ? delta.function : {}
    const said = typeof name === 'string' ? name : ''
    const known = this.#known(index, given, said !== '')
    if (known?.args.isComplete && said !== '') known.isNamedAgain = true
    const isAgain = known?.isNamedAgain === true && hasArguments(args)
    const call =
      known === null || isAgain ? this.#begun(index, given ?? known?.id, said || (known?.name ?? '')) : known
    // An object is written as JSON, whole.
    call.args.add(typeof args === 'string' ? args : isJsonObject(args) ? '{}' : '')
    this.#last = call
    const isHeadless = isAgain && said === ''
    return {
      index: call.sent.index,
      id: given === undefined && !isHeadless ? id : (call.sent.id ?? id),
      ...(isHeadless && { name: call.name }),
    }
  }

  /** The call that a delta continues; null for a new one. */
  #known(index: unknown, id: string | undefined, hasName: boolean): StreamedCall | null {
    const ofId = id === undefined ? undefined : this.#byId.get(id)
    if (typeof index !== 'number') return (id === undefined ? this.#last : ofId) ?? null
    const ofIndex = this.#byIndex.get(index)
    if (ofIndex && (id === undefined || ofIndex.id === undefined || ofIndex.id === id)) return ofIndex
    // The same id at another index: another call if it has a name.
    if (ofId) return hasName ? null : ofId
    return null
  }

  #begun(index: unknown, id: string | undefined, name: string): StreamedCall {
    const isRepeated = id !== undefined && this.#byId.has(id)
    if (isRepeated) this.#repetitions += 1
    const own = typeof index === 'number' ? index : this.#next
    const isTaken = isRepeated && this.#byIndex.has(own)
    const call: StreamedCall = {
      id,
      index: own,
      sent: {
        id: isRepeated ? repeatedId(id, this.#repetitions) : id,
        index: isTaken ? FREE_INDEXES + this.#repetitions : own,
      },
      name,
      args: new JsonObjectEnd(),
      isNamedAgain: false,
    }
    this.#next = Math.max(this.#next, own + 1)
    if (this.#byIndex.size < MAX_CALLS) this.#byIndex.set(own, call)
    if (id !== undefined && this.#byId.size < MAX_CALLS) this.#byId.set(id, call)
    return call
  }
}
