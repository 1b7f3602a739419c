import type { Socket } from 'node:net'
import { networkOf } from '@troupe/rate-limits'
import type { FastifyRequest } from 'fastify'
import { endRequest } from './client-error.ts'

/** The time that requests may take to arrive. */
export interface ArrivalLimits {
  /** Milliseconds for a complete request, except for admitted uploads. */
  requestMs: number
  /** Milliseconds between two checks. */
  checkMs: number
  /** The minimum progress of an upload, averaged over every `requestMs`. */
  bytesPerSecond: number
  /** Milliseconds for an upload, whatever its progress. */
  longestMs: number
  /** Concurrent uploads of one network that may take longer than `requestMs`: each holds a connection and disk space. */
  perNetwork: number
}

const MINUTE_MS = 60_000

/** The limits in production. A form page sends all chosen files concurrently, so the minimum progress is low. */
const ARRIVAL_LIMITS: ArrivalLimits = {
  requestMs: MINUTE_MS / 2,
  checkMs: 5_000,
  bytesPerSecond: 4_096,
  longestMs: 60 * MINUTE_MS,
  perNetwork: 20,
}

interface Upload {
  network: string
  startedAt: number
  /** The window whose progress is measured. */
  windowAt: number
  windowBytes: number
}

/**
 * Lets progressing uploads take longer than other requests. Node ends every request after the same time; for an
 * admitted upload that timeout is ignored (see {@link excuses}), and a check of its progress ends it instead: if it
 * stalls, if it is too slow, and after an hour.
 */
export class SlowUploads implements Disposable {
  readonly limits: ArrivalLimits
  readonly #uploads = new Map<Socket, Upload>()
  #timer: NodeJS.Timeout | null = null

  constructor(limits: ArrivalLimits = ARRIVAL_LIMITS) {
    this.limits = limits
  }

  /** Admits an upload whose sender passed every check that needs no body. */
  admit({ raw, ip }: FastifyRequest): void {
    const { socket } = raw
    const network = networkOf(ip)
    const active = [...this.#uploads.values()].filter((upload) => upload.network === network)
    if (active.length >= this.limits.perNetwork || raw.complete || socket.destroyed) return
    const now = performance.now()
    const upload = { network, startedAt: now, windowAt: now, windowBytes: socket.bytesRead }
    this.#uploads.set(socket, upload)
    this.#timer ??= setInterval(() => this.#check(), this.limits.checkMs).unref()
    // Emitted when the body is complete, and when its connection is lost.
    raw.once('close', () => this.#forget(socket, upload))
  }

  /** Whether Node's request timeout does not apply to the request on this connection. */
  excuses(socket: Socket): boolean {
    return this.#uploads.has(socket)
  }

  [Symbol.dispose](): void {
    if (this.#timer !== null) clearInterval(this.#timer)
    this.#timer = null
    this.#uploads.clear()
  }

  #check(): void {
    const now = performance.now()
    for (const [socket, upload] of this.#uploads) {
      const { startedAt, windowAt, windowBytes } = upload
      const windowMs = now - windowAt
      const isOver = now - startedAt > this.limits.longestMs
      if (windowMs < this.limits.requestMs && !isOver) continue
      const stalls = ((socket.bytesRead - windowBytes) * 1000) / windowMs < this.limits.bytesPerSecond
      if (stalls || isOver) {
        this.#forget(socket, upload)
        endRequest(socket)
      } else {
        upload.windowAt = now
        upload.windowBytes = socket.bytesRead
      }
    }
  }

  /** The connection may already be serving its next upload. */
  #forget(socket: Socket, upload: Upload): void {
    if (this.#uploads.get(socket) === upload) this.#uploads.delete(socket)
    if (this.#uploads.size > 0 || this.#timer === null) return
    clearInterval(this.#timer)
    this.#timer = null
  }
}
