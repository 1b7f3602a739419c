import { MAX_BODY_BYTES } from '@troupe/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Milliseconds that the other side has to read the response before its connection is cut. */
export const LINGER_MS = 1_000

/** Bytes of a refused body that are read and discarded before the connection is cut. */
const LINGER_BYTES = 4 * MAX_BODY_BYTES
const CHECK_MS = 20

/**
 * Lets the sender of a refused body read the reason. Closing a connection on which bytes are unread resets it, and a
 * sender that is still writing then gets the reset instead of the response. Node closes that way after a response with
 * `Connection: close`; for this connection only its own direction is closed, and the rest of the body is discarded for
 * a moment.
 *
 * A kept-alive connection is also closed: the parser of a refused upload has stopped in the middle of the body, and a
 * following request would never be read. Call it before the answer is sent.
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
    // A discarded body emits no data, so arrival is polled.
    const timer = setInterval(() => {
      const isOver = request.complete || performance.now() > until || socket.bytesRead - before > LINGER_BYTES
      if (isOver) socket.destroy()
    }, CHECK_MS).unref()
    socket.once('close', () => clearInterval(timer))
    socket.end()
  }
}
