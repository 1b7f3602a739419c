import type { Socket } from 'node:net'
import { DomainError, statusOf } from '@troupe/contract'
import type { ConnectionError } from 'fastify'
import { LINGER_MS } from './connections/lingering-close.ts'
import { toErrorBody } from './respond-error.ts'

const REASONS: Record<number, string> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  414: 'URI Too Long',
  431: 'Request Header Fields Too Large',
}

/** Responds to malformed or incomplete HTTP requests in the API's error shape, then closes the connection. */
export function answerClientError(error: ConnectionError, socket: Socket): void {
  if (error.code === 'ECONNRESET') socket.destroy()
  else answerAndClose(toClientError(error), socket)
}

/** Ends a request whose body takes too long: 408, and the connection is closed even if the sender continues. */
export function endRequest(socket: Socket): void {
  answerAndClose(requestTimeout(), socket)
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}

/** Whether Node found that a request takes too long to arrive. */
export function isRequestTimeout({ code }: ConnectionError): boolean {
  return code === 'ERR_HTTP_REQUEST_TIMEOUT'
}

function answerAndClose(known: DomainError, socket: Socket): void {
  if (socket.destroyed || !socket.writable) {
    socket.destroy()
    return
  }
  const status = statusOf(known.code)
  const body = JSON.stringify(toErrorBody(known))
  socket.end(
    `HTTP/1.1 ${status} ${REASONS[status] ?? 'Error'}\r\n` +
      'Content-Type: application/json; charset=utf-8\r\n' +
      `Content-Length: ${Buffer.byteLength(body)}\r\n` +
      `Connection: close\r\n\r\n${body}`,
  )
}

/** Maximum length of path and query together, in characters. */
export const LONGEST_URL = 8_192

/** The error for a longer URL. */
export function uriTooLong(): DomainError {
  return new DomainError('uri_too_long', `The URL must have at most ${LONGEST_URL} characters.`)
}

/** Whether the request line is longer than any accepted URL; a line without an end in the packet is. */
function hasLongUrl(packet: unknown): boolean {
  if (!Buffer.isBuffer(packet) || !/^[A-Z-]+ \//.test(packet.toString('latin1', 0, 32))) return false
  const end = packet.indexOf('\r\n')
  return end === -1 || end > LONGEST_URL
}

function requestTimeout(): DomainError {
  return new DomainError('request_timeout', 'The request did not arrive in time.')
}

function toClientError(error: ConnectionError): DomainError {
  const { code, rawPacket } = error
  if (code === 'HPE_HEADER_OVERFLOW') {
    if (hasLongUrl(rawPacket)) return uriTooLong()
    return new DomainError('headers_too_large', 'The request headers are too large.')
  }
  if (isRequestTimeout(error)) return requestTimeout()
  return new DomainError('validation_error', 'This is not a valid HTTP request.')
}
