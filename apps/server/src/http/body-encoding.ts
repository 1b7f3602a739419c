import type { IncomingHttpHeaders } from 'node:http'
import { DomainError } from '@troupe/contract'

const CHARSET = /;\s*charset\s*=\s*"?([^\s;"]*)/i

/**
 * Bodies are read as they are and as UTF-8.
 *
 * @throws DomainError `unsupported_media_type` for a compressed body or another charset
 */
export function requirePlainUtf8(headers: IncomingHttpHeaders): void {
  const coding = headers['content-encoding']?.trim().toLowerCase() || 'identity'
  if (coding !== 'identity') {
    throw new DomainError(
      'unsupported_media_type',
      'The body must be sent without compression: Content-Encoding is not supported.',
    )
  }
  const charset = CHARSET.exec(headers['content-type'] ?? '')?.[1]?.toLowerCase()
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8') {
    throw new DomainError('unsupported_media_type', 'The charset of the body must be utf-8.')
  }
}
