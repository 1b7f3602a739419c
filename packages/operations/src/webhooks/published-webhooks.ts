import type { Clock } from '@troupe/agents/ports'
import { type IdText, parseId, WorkflowId } from '@troupe/contract'
import type { Signals } from '@troupe/durable-work'
import type { SecretBox } from '@troupe/secrets'
import type { Database, WebhookRecord } from '@troupe/storage'
import { LRUCache } from 'lru-cache'
import { hashWebhookToken, type OpenWebhookSecrets, openWebhookSecrets } from './webhook-secrets.ts'

/** Milliseconds. Upper bound on staleness when a change notification is lost. */
const LONGEST_AGE_MS = 1_000
const CAPACITY = 2_000
const KEPT_MS = 60 * 60_000
const LONGEST_TOKEN = 200

/** A published webhook with its secrets in clear text. */
export interface PublishedWebhook
  extends Pick<
    WebhookRecord,
    'workflowId' | 'organizationId' | 'projectId' | 'versionId' | 'organizationRpm'
  > {
  secrets: OpenWebhookSecrets
}

interface Entry {
  loadedAt: number
  webhook: Promise<PublishedWebhook | null>
}

/**
 * Finds webhooks by their tokens; a cached one costs no read. Whether the workflow is still published is
 * checked when the run starts.
 */
export class PublishedWebhooks implements Disposable {
  readonly #read: Database['read']['webhooks']
  readonly #box: SecretBox
  readonly #clock: Clock
  readonly #entries = new LRUCache<string, Entry>({ max: CAPACITY, ttl: KEPT_MS })
  readonly #unsubscribe: () => void

  constructor(options: {
    read: Database['read']['webhooks']
    box: SecretBox
    clock: Clock
    signals: Pick<Signals, 'subscribe'>
  }) {
    this.#read = options.read
    this.#box = options.box
    this.#clock = options.clock
    // Changes are rare and rereading is cheap, so the entire cache is cleared.
    this.#unsubscribe = options.signals.subscribe(({ kind }) => {
      if (kind === 'config_changed') this.#entries.clear()
    })
  }

  /** The webhook of a published workflow; null for every other pair, indistinguishable to the caller. */
  find(workflowId: IdText<WorkflowId>, token: string): Promise<PublishedWebhook | null> {
    const id = parseId(WorkflowId, workflowId)
    if (id === null || token.length > LONGEST_TOKEN) return Promise.resolve(null)
    const key = keyOf(id, token)
    const now = this.#clock.now()
    const known = this.#entries.get(key)
    if (known && now - known.loadedAt < LONGEST_AGE_MS) return known.webhook
    return this.#loadAndKeep(id, token, now)
  }

  /** Like {@link find}, but past the cache. */
  reload(workflowId: WorkflowId, token: string): Promise<PublishedWebhook | null> {
    this.#entries.delete(keyOf(workflowId, token))
    return this.find(workflowId, token)
  }

  #loadAndKeep(id: WorkflowId, token: string, now: number): Promise<PublishedWebhook | null> {
    const key = keyOf(id, token)
    const webhook = this.#load(id, token, now)
    this.#entries.set(key, { loadedAt: now, webhook })
    // Misses are not cached, so a flood of made-up tokens evicts no real webhook.
    const forget = () => {
      if (this.#entries.peek(key)?.webhook === webhook) this.#entries.delete(key)
    }
    webhook.then((found) => {
      if (found === null) forget()
    }, forget)
    return webhook
  }

  async #load(id: WorkflowId, token: string, now: number): Promise<PublishedWebhook | null> {
    const record = await this.#read.byToken(id, hashWebhookToken(token))
    if (!record) return null
    const { workflowId, organizationId, projectId, versionId, organizationRpm } = record
    const secrets = openWebhookSecrets(this.#box, id, record, now)
    return { workflowId, organizationId, projectId, versionId, organizationRpm, secrets }
  }

  [Symbol.dispose](): void {
    this.#unsubscribe()
    this.#entries.clear()
  }
}

function keyOf(id: WorkflowId, token: string): string {
  return `${id} ${hashWebhookToken(token)}`
}
