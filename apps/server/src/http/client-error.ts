import type { Socket } from 'node:net'
import { DomainError, statusOf } from '@troupe/contract'
import type { ConnectionError } from 'fastify'
import { toErrorBody } from './respond-error.ts'

const REASONS: Record<number, string> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
}

/** Answers what is no HTTP request, or never became a whole one, in the error shape of the API; then closes. */
export function answerClientError(error: ConnectionError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
    socket.destroy()
    return
  }
  const known = toClientError(error.code)
  const status = statusOf(known.code)
  const body = JSON.stringify(toErrorBody(known))
  socket.end(
    `HTTP/1.1 ${status} ${REASONS[status] ?? 'Error'}\r\n` +
      'Content-Type: application/json; charset=utf-8\r\n' +
      `Content-Length: ${Buffer.byteLength(body)}\r\n` +
      `Connection: close\r\n\r\n${body}`,
  )
}

function toClientError(code: string): DomainError {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new DomainError('headers_too_large', 'The request headers are too large.')
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new DomainError('request_timeout', 'The request did not arrive in time.')
  }
  return new DomainError('validation_error', 'This is not a valid HTTP request.')
}
