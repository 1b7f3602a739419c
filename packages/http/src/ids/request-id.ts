import type { IncomingMessage } from 'node:http'
import { uuidV7 } from './uuid-v7.ts'

const ACCEPTABLE = /^[A-Za-z0-9._:-]{1,128}$/

/** The caller's `X-Request-Id` if it is safe to log, else a new id. */
export function requestIdOf(request: Pick<IncomingMessage, 'headers'>): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && ACCEPTABLE.test(given) ? given : uuidV7()
}
