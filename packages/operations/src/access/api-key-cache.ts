import type { Clock } from '@troupe/agents/ports'
import type { ApiKeyId, IdText, OrganizationId } from '@troupe/contract'
import type { Signals } from '@troupe/durable-work'
import { hashApiKeySecret } from '@troupe/secrets'
import type { ApiKeyRecord, ApiKeyUse } from '@troupe/storage'
import { LRUCache } from 'lru-cache'
import { rpmInForce } from '../limits/limit-ceilings.ts'
import type { Principal } from './principal.ts'

/** Milliseconds. Upper bound on a revocation's delay when its notification is lost. */
const LONGEST_AGE_MS = 1_000
/**
 * Milliseconds after which an entry in use is refreshed in the background, so callers of a busy key never
 * wait.
 */
const REFRESH_AGE_MS = 500
const CAPACITY = 10_000
/** Milliseconds after which an unused entry is dropped, when its slot is next examined. */
const KEPT_MS = 60 * 60_000
/** Unknown keys have a separate cache, so a flood of them never evicts a known key. */
const UNKNOWN_CAPACITY = 10_000

interface Entry {
  record: ApiKeyRecord
  principal: Principal
  loadedAt: number
  refreshing: boolean
}

/** `ip` is the sender of a key that was never found here; null for a known key. */
type Lookup = (secretHash: string, ip: string | null) => Promise<ApiKeyRecord | null>

/**
 * Finds the principal of an API key by the SHA-256 of its secret. A cached key is a synchronous lookup;
 * expiry is checked at every request; concurrent misses share one read.
 */
export class ApiKeyCache implements Disposable {
  readonly #lookup: Lookup
  readonly #clock: Pick<Clock, 'now'>
  readonly #unsubscribe: () => void
  readonly #known = new LRUCache<string, Entry>({ max: CAPACITY, ttl: KEPT_MS })
  /** Value: the time at which the database had no such key. */
  readonly #unknown = new LRUCache<string, number>({ max: UNKNOWN_CAPACITY, ttl: KEPT_MS })
  readonly #loading = new Map<string, Promise<Principal | null>>()
  /** Since the last flush, by the key's id. */
  #uses = new Map<ApiKeyId, ApiKeyUse>()

  readonly #rpmCeiling: number | null

  constructor(options: {
    lookup: Lookup
    signals: Pick<Signals, 'subscribe'>
    clock: Pick<Clock, 'now'>
    /** The operator's ceiling over the requests per minute of organizations. */
    rpmCeiling?: number | null
  }) {
    this.#rpmCeiling = options.rpmCeiling ?? null
    this.#lookup = options.lookup
    this.#clock = options.clock
    this.#unsubscribe = options.signals.subscribe((signal) => {
      if (signal.kind === 'api_key_changed') this.forget(signal.secretHash)
      if (signal.kind === 'config_changed') this.forgetOrganization(signal.organizationId)
    })
  }

  /**
   * The principal of a valid key, or null. Returns a promise only on a cache miss.
   *
   * @param ip the sender's address; addresses with many wrong keys wait longer for a key unknown to this process
   */
  find(secret: string, ip: string): Principal | null | Promise<Principal | null> {
    const secretHash = hashApiKeySecret(secret)
    const now = this.#clock.now()
    const entry = this.#known.get(secretHash)
    if (entry && now - entry.loadedAt < LONGEST_AGE_MS) {
      if (now - entry.loadedAt >= REFRESH_AGE_MS && !entry.refreshing) this.#refresh(secretHash, entry)
      return this.#used(inForce(entry, now), now)
    }
    const missedAt = this.#unknown.get(secretHash)
    if (missedAt !== undefined && now - missedAt < LONGEST_AGE_MS) return null
    const loading = this.#loading.get(secretHash) ?? this.#load(secretHash, entry ? null : ip)
    return loading.then((principal) => this.#used(principal, now))
  }

  /**
   * Passes the keys accepted since the last flush to `write`; they are kept for the next flush if the write fails.
   * Called every minute: a write for each request would cost more than the request.
   */
  async flushUses(write: (uses: readonly ApiKeyUse[]) => Promise<void>): Promise<void> {
    const uses = this.#uses
    if (uses.size === 0) return
    this.#uses = new Map()
    try {
      await write([...uses.values()])
    } catch (error) {
      this.#uses = new Map([...uses, ...this.#uses])
      throw error
    }
  }

  /** Evicts a key, so the next request reads it again. */
  forget(secretHash: string): void {
    this.#known.delete(secretHash)
    this.#unknown.delete(secretHash)
    // A read started before the change must not serve requests made after it.
    this.#loading.delete(secretHash)
  }

  /**
   * Evicts every key of an organization, because entries include its limits, and all unknown keys, because
   * they may be its new keys.
   */
  forgetOrganization(organizationId: IdText<OrganizationId>): void {
    for (const [secretHash, entry] of this.#known) {
      if (entry.record.organizationId === organizationId) this.forget(secretHash)
    }
    this.#unknown.clear()
    this.#loading.clear()
  }

  [Symbol.dispose](): void {
    this.#unsubscribe()
    this.#known.clear()
    this.#unknown.clear()
  }

  #used(principal: Principal | null, at: number): Principal | null {
    if (principal === null) return null
    const use = this.#uses.get(principal.keyId)
    if (use) use.at = at
    else
      this.#uses.set(principal.keyId, { id: principal.keyId, organizationId: principal.organizationId, at })
    return principal
  }

  #refresh(secretHash: string, entry: Entry): void {
    entry.refreshing = true
    this.#load(secretHash, null).catch(() => {
      entry.refreshing = false
    })
  }

  #load(secretHash: string, ip: string | null): Promise<Principal | null> {
    // The age counts from the start of the read: its result may be that old.
    const loadedAt = this.#clock.now()
    const loading: Promise<Principal | null> = this.#lookup(secretHash, ip).then(
      (record) => {
        const current = this.#loading.get(secretHash) === loading
        if (current) this.#loading.delete(secretHash)
        if (!record) {
          if (current) {
            this.#known.delete(secretHash)
            this.#unknown.set(secretHash, loadedAt)
          }
          return null
        }
        const entry = {
          record,
          principal: toPrincipal(record, this.#rpmCeiling),
          loadedAt,
          refreshing: false,
        }
        if (current) {
          this.#unknown.delete(secretHash)
          this.#known.set(secretHash, entry)
        }
        return inForce(entry, this.#clock.now())
      },
      (error: unknown) => {
        if (this.#loading.get(secretHash) === loading) this.#loading.delete(secretHash)
        throw error
      },
    )
    this.#loading.set(secretHash, loading)
    return loading
  }
}

function inForce({ record, principal }: Entry, now: number): Principal | null {
  if (record.revokedAt !== null) return null
  if (record.expiresAt !== null && record.expiresAt.getTime() <= now) return null
  return principal
}

function toPrincipal(record: ApiKeyRecord, rpmCeiling: number | null): Principal {
  return Object.freeze({
    keyId: record.id,
    organizationId: record.organizationId,
    projectId: record.projectId,
    organizationRpm: rpmInForce(record.organizationRpm, rpmCeiling),
    keyRpm: record.rpm,
  })
}
