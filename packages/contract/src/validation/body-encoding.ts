import { DomainError } from '../errors/domain-error.ts'
import type { RequestHeaders } from './request-headers.ts'

const CHARSET = /;\s*charset\s*=\s*"?([^\s;"]*)/i

/**
 * Checks that a body is uncompressed and UTF-8.
 *
 * @throws DomainError `unsupported_media_type` for a compressed body or another charset
 */
export function requirePlainUtf8(headers: RequestHeaders): void {
  const coding = singleHeader(headers['content-encoding']).trim().toLowerCase() || 'identity'
  if (coding !== 'identity') {
    throw new DomainError(
      'unsupported_media_type',
      'The body must be sent without compression: Content-Encoding is not supported.',
    )
  }
  const charset = CHARSET.exec(singleHeader(headers['content-type']))?.[1]?.toLowerCase()
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8') {
    throw new DomainError('unsupported_media_type', 'The charset of the body must be utf-8.')
  }
}

function singleHeader(value: string | readonly string[] | undefined): string {
  return typeof value === 'string' ? value : (value?.join(', ') ?? '')
}
