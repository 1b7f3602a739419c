import { availableParallelism } from 'node:os'
import { typedKeys } from '@troupe/contract'
import { BusyError, stopping } from './busy-error.ts'
import { type HeavyKind, KINDS } from './kinds.ts'
import { HEAVY_MEMORY } from './memory.ts'

/** Limits of all work together. */
export interface HeavyWorkLimits {
  /** Maximum concurrent threads and processes; at least 3. */
  places: number
  /** Their maximum total memory in MB. A piece that may exceed it runs alone. */
  memoryMb: number
  /** Maximum waiting pieces of all owners. Above it, an owner without any piece may still queue one. */
  waiting: number
  /**
   * Maximum bytes kept in memory by all waiting pieces. Above it, each owner may still keep its share: the maximum divided by the number of
   * waiting owners. An owner without any piece may queue one that exceeds its share. All together never keep more than twice the maximum.
   * A piece that keeps none is not refused for the bytes of the rest.
   */
  heldBytes: number
  /** Milliseconds after which a waiting piece gives up. */
  patienceMs: number
}

/** One piece of heavy work. */
export interface Piece {
  kind: HeavyKind
  /** The organization of the piece, or `NOBODY`. Owners take turns. */
  owner: string
  /** Maximum memory in MB; absent: the maximum of its kind. */
  memoryMb?: number
  /** Bytes of input that the piece keeps in memory while it waits; absent: too few to count. */
  heldBytes?: number
  /** Ends the wait. The work itself must handle an abort after it has begun. */
  signal?: AbortSignal
}

/** Decides when heavy work begins. Disposing refuses waiting work; running work continues. */
export interface HeavyWork extends Disposable {
  /**
   * Runs `work` when it is its turn.
   *
   * @throws BusyError when it was never started; the signal's reason; any error of the work
   */
  run<T>(piece: Piece, work: () => Promise<T>): Promise<T>
  /** The numbers of running and waiting pieces. */
  counts(): { running: number; waiting: number }
  /** The same for each kind, for operators. */
  load(): readonly HeavyLoad[]
}

/** The load of one kind. */
export interface HeavyLoad {
  kind: HeavyKind
  running: number
  waiting: number
  /** Pieces that were never started, because too many waited or for too long; since the start of the process. */
  refused: number
  /** Maximum memory of the running pieces. */
  memoryBytes: number
}

/** A waiting piece is overtaken by at most this many others while the memory for it is not free; then nothing else begins before it. */
const MOST_PASSES = 16

/** Four bundles of maximum size wait, or a hundred scripts with long arguments. */
const HELD_BYTES = 32 * 1024 * 1024

/** One more place than this machine has cores, because the last one is reserved for owners without running pieces. */
function limitsHere(): HeavyWorkLimits {
  const places = Math.min(8, Math.max(4, availableParallelism() + 1))
  return { places, memoryMb: HEAVY_MEMORY.budgetMb, waiting: 500, heldBytes: HELD_BYTES, patienceMs: 30_000 }
}

/** The limits of all downloads. They wait for other servers: one tenant's slow addresses do not block the work of others. */
const DOWNLOADS = { places: 32, memoryMb: 192 }

/** The scheduler of a process, shared by every part that does heavy work. */
export function createHeavyWork(limits: Partial<HeavyWorkLimits> = {}): HeavyWork {
  const all = { ...limitsHere(), ...limits }
  return new Pools(new FairPlaces(all), new FairPlaces({ ...all, ...DOWNLOADS }))
}

/** Separate pools for work and downloads: a finished download may wait here to be processed. */
class Pools implements HeavyWork {
  readonly #work: HeavyWork
  readonly #downloads: HeavyWork

  constructor(work: HeavyWork, downloads: HeavyWork) {
    this.#work = work
    this.#downloads = downloads
  }

  run<T>(piece: Piece, work: () => Promise<T>): Promise<T> {
    return (piece.kind === 'download' ? this.#downloads : this.#work).run(piece, work)
  }

  counts(): { running: number; waiting: number } {
    const [work, downloads] = [this.#work.counts(), this.#downloads.counts()]
    return { running: work.running + downloads.running, waiting: work.waiting + downloads.waiting }
  }

  load(): readonly HeavyLoad[] {
    const [work, downloads] = [this.#work.load(), this.#downloads.load()]
    return work.map((one, index) => (one.kind === 'download' ? (downloads[index] ?? one) : one))
  }

  [Symbol.dispose](): void {
    this.#work[Symbol.dispose]()
    this.#downloads[Symbol.dispose]()
  }
}

interface Waiting {
  kind: HeavyKind
  memoryMb: number
  heldBytes: number
  /** The number of pieces that began while this one lacked only memory. */
  passes: number
  begin: () => void
  refuse: (reason: unknown) => void
}

/** The pieces of one owner; removed when none of them runs or waits. */
class Owner {
  readonly name: string
  /** In the order of the next turns of its kinds. */
  readonly waiting = new Map<HeavyKind, Waiting[]>()
  readonly running = new Map<HeavyKind, number>()
  runs = 0

  constructor(name: string) {
    this.name = name
  }

  get isGone(): boolean {
    return this.runs === 0 && this.waiting.size === 0
  }

  get waits(): number {
    let count = 0
    for (const list of this.waiting.values()) count += list.length
    return count
  }

  /** The bytes held by the waiting pieces of this owner. */
  get heldBytes(): number {
    let bytes = 0
    for (const list of this.waiting.values()) for (const piece of list) bytes += piece.heldBytes
    return bytes
  }
}

/**
 * Places for work, shared fairly. Owners take turns, and so do the kinds of one owner. The last free place, and half of the memory, are
 * reserved for an owner without running pieces: however much one tenant requests, another one's first piece begins at once, or with several
 * such tenants after the one that ends first.
 */
class FairPlaces implements HeavyWork {
  readonly #limits: HeavyWorkLimits
  /** In the order of the owners' next turns. */
  readonly #owners = new Map<string, Owner>()
  readonly #loads: ReadonlyMap<HeavyKind, HeavyLoad> = new Map(
    typedKeys(KINDS).map((kind) => [kind, { kind, running: 0, waiting: 0, refused: 0, memoryBytes: 0 }]),
  )
  #running = 0
  #memoryMb = 0
  #waiting = 0
  /** The bytes held by all waiting pieces. */
  #heldBytes = 0
  #isClosed = false

  constructor(limits: HeavyWorkLimits) {
    this.#limits = limits
  }

  counts(): { running: number; waiting: number } {
    return { running: this.#running, waiting: this.#waiting }
  }

  load(): readonly HeavyLoad[] {
    return [...this.#loads.values()].map((one) => ({ ...one }))
  }

  async run<T>(piece: Piece, work: () => Promise<T>): Promise<T> {
    const memoryMb = piece.memoryMb ?? KINDS[piece.kind].memoryMb
    await this.#turn(piece, memoryMb)
    try {
      piece.signal?.throwIfAborted()
      return await work()
    } finally {
      this.#count(piece, -1, memoryMb)
      this.#beginNext()
    }
  }

  [Symbol.dispose](): void {
    this.#isClosed = true
    for (const { waiting } of [...this.#owners.values()]) {
      for (const one of [...waiting.values()].flat()) one.refuse(stopping())
    }
  }

  async #turn({ kind, owner: name, heldBytes = 0, signal }: Piece, memoryMb: number): Promise<void> {
    if (this.#isClosed) throw stopping()
    signal?.throwIfAborted()
    const owner = this.#ownerOf(name)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const leave = (reason: unknown) => {
      this.#remove(owner, waiting)
      reject(reason)
      // Pieces that waited for the memory of this one may begin.
      this.#beginNext()
    }
    const refuse = () => {
      this.#loadOf(kind).refused += 1
      leave(busy(kind))
    }
    const waiting: Waiting = { kind, memoryMb, heldBytes, passes: 0, begin: resolve, refuse: leave }
    const list = owner.waiting.get(kind)
    if (list) list.push(waiting)
    else owner.waiting.set(kind, [waiting])
    this.#waiting += 1
    this.#heldBytes += heldBytes
    this.#loadOf(kind).waiting += 1
    this.#beginNext()
    if (owner.waiting.get(kind)?.includes(waiting) !== true) return
    if (this.#isFull(owner, waiting)) {
      refuse()
      return promise
    }
    const patience = setTimeout(refuse, this.#limits.patienceMs)
    const abort = () => leave(signal?.reason)
    signal?.addEventListener('abort', abort)
    await promise.finally(() => {
      clearTimeout(patience)
      signal?.removeEventListener('abort', abort)
    })
  }

  #loadOf(kind: HeavyKind): HeavyLoad {
    const load = this.#loads.get(kind)
    if (!load) throw new Error(`there is no heavy work of kind ${kind}`)
    return load
  }

  #ownerOf(name: string): Owner {
    const known = this.#owners.get(name)
    if (known) return known
    const owner = new Owner(name)
    this.#owners.set(name, owner)
    return owner
  }

  /** Including the newest waiting piece of the owner. */
  #isFull(owner: Owner, newest: Waiting): boolean {
    const { waiting, heldBytes } = this.#limits
    if ((owner.waiting.get(newest.kind)?.length ?? 0) > KINDS[newest.kind].waiting) return true
    if (this.#heldBytes > 2 * heldBytes) return true
    const isOver = this.#waiting > waiting || (newest.heldBytes > 0 && this.#keepsTooMuch(owner))
    return isOver && owner.waits + owner.runs > 1
  }

  /** Whether waiting pieces keep too many bytes, and those of this owner more than its share: long texts of one owner refuse no other. */
  #keepsTooMuch(owner: Owner): boolean {
    const { heldBytes } = this.#limits
    if (this.#heldBytes <= heldBytes) return false
    const owners = [...this.#owners.values()].filter(({ waits }) => waits > 0).length
    return owner.heldBytes > heldBytes / owners
  }

  /** Assigns every free place to the next eligible piece. */
  #beginNext(): void {
    if (this.#isClosed) return
    for (let next = this.#next(); next !== null; next = this.#next()) {
      const { owner, waiting } = next
      this.#count({ kind: waiting.kind, owner: owner.name }, 1, waiting.memoryMb)
      this.#remove(owner, waiting)
      moveToEnd(owner.waiting, waiting.kind)
      moveToEnd(this.#owners, owner.name)
      waiting.begin()
    }
  }

  #next(): { owner: Owner; waiting: Waiting } | null {
    const passed: Waiting[] = []
    for (const owner of this.#owners.values()) {
      for (const [waiting] of owner.waiting.values()) {
        if (waiting === undefined || !this.#mayHavePlace(owner, waiting.kind)) continue
        if (this.#mayHaveMemory(owner, waiting)) {
          for (const one of passed) one.passes += 1
          return { owner, waiting }
        }
        passed.push(waiting)
        if (waiting.passes < MOST_PASSES) continue
        if (owner.runs === 0) return null
        // The owner's other running pieces will end, and delay nobody else.
        break
      }
    }
    return null
  }

  #mayHavePlace(owner: Owner, kind: HeavyKind): boolean {
    const free = this.#limits.places - this.#running
    const { atOnce } = KINDS[kind]
    if (free < 1 || (atOnce !== null && this.#loadOf(kind).running >= atOnce)) return false
    // One kind leaves a place to the other kinds of its owner, and the owner one to other owners.
    return owner.runs === 0 || (free > 1 && (owner.running.get(kind) ?? 0) < this.#limits.places - 2)
  }

  #mayHaveMemory(owner: Owner, { memoryMb }: Waiting): boolean {
    if (this.#memoryMb === 0) return true
    const free = this.#limits.memoryMb - this.#memoryMb - memoryMb
    return free >= (owner.runs === 0 ? 0 : this.#limits.memoryMb / 2)
  }

  #count({ kind, owner: name }: Pick<Piece, 'kind' | 'owner'>, change: 1 | -1, memoryMb: number): void {
    const owner = this.#ownerOf(name)
    this.#running += change
    this.#memoryMb += change * memoryMb
    owner.runs += change
    owner.running.set(kind, (owner.running.get(kind) ?? 0) + change)
    const load = this.#loadOf(kind)
    load.running += change
    load.memoryBytes += change * memoryMb * 1024 * 1024
    if (owner.isGone) this.#owners.delete(name)
  }

  #remove(owner: Owner, waiting: Waiting): void {
    const list = owner.waiting.get(waiting.kind) ?? []
    const index = list.indexOf(waiting)
    if (index < 0) return
    list.splice(index, 1)
    this.#waiting -= 1
    this.#heldBytes -= waiting.heldBytes
    this.#loadOf(waiting.kind).waiting -= 1
    if (list.length === 0) owner.waiting.delete(waiting.kind)
    if (owner.isGone) this.#owners.delete(owner.name)
  }
}

function moveToEnd<V>(map: Map<string, V>, key: string): void {
  const value = map.get(key)
  if (value === undefined) return
  map.delete(key)
  map.set(key, value)
}

function busy(kind: HeavyKind): BusyError {
  return new BusyError(
    `The server has too many ${KINDS[kind].words} in progress. Nothing was done. Please try again in a moment.`,
  )
}
