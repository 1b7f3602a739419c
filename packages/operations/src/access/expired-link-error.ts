import { DomainError, type ErrorCode } from '@troupe/contract'

/**
 * A link that was valid until `expiredAt`. Only the holder of its token gets this error; its code is that of every token without a
 * link, so callers of an API cannot tell them apart by it.
 */
export class ExpiredLinkError extends DomainError {
  readonly expiredAt: Date

  constructor(code: ErrorCode, message: string, expiredAt: Date) {
    super(code, message)
    this.expiredAt = expiredAt
  }
}
