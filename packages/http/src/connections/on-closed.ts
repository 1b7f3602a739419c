import type { ServerResponse } from 'node:http'

/**
 * Calls `closed` once, when the response is complete or the caller has disconnected; immediately if that has already
 * happened, because `close` is not emitted again.
 *
 * @returns removes the listeners
 */
export function onClosed(response: ServerResponse, closed: () => void): () => void {
  const stop = () => void response.off('close', once)
  const once = () => {
    stop()
    closed()
  }
  if (response.destroyed || response.socket?.destroyed) closed()
  else response.on('close', once)
  return stop
}
