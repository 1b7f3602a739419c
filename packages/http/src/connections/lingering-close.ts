import { MAX_BODY_BYTES } from '@troupe/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** How long the other side has to read the answer before its connection is cut, in milliseconds. */
export const LINGER_MS = 1_000

/** How much of a refused body is read and thrown away before the connection is cut. */
const LINGER_BYTES = 4 * MAX_BODY_BYTES
const CHECK_MS = 20

/**
 * Lets the sender of a refused body read why. Closing a connection on which bytes are unread resets it, and a sender that is
 * still writing then gets the reset instead of the answer. Node closes that way after an answer with `Connection: close`;
 * for this connection only its own direction is closed, and the rest of the body is thrown away for a moment.
 *
 * A connection that is kept alive is closed, too: the parser of a refused upload has stopped in the middle of the body, and a next
 * request behind it would never be read. Call it before the answer is sent.
 */
export function lingerAfterRefusal({ raw: request }: FastifyRequest, reply: FastifyReply): void {
  const { socket } = request
  // The body has arrived, or the request did not come from a connection (`app.inject`).
  if (request.complete || typeof socket.destroySoon !== 'function') return
  reply.header('connection', 'close')
  socket.destroySoon = () => {
    if (socket.destroyed) return
    const before = socket.bytesRead
    const until = performance.now() + LINGER_MS
    // A discarded body emits no data, so what has arrived is looked at from time to time.
    const timer = setInterval(() => {
      const isOver = request.complete || performance.now() > until || socket.bytesRead - before > LINGER_BYTES
      if (isOver) socket.destroy()
    }, CHECK_MS).unref()
    socket.once('close', () => clearInterval(timer))
    socket.end()
  }
}
