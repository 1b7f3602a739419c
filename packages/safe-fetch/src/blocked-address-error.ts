/** An outgoing request was refused. The message is safe for tenants: it contains no address and no host. */
export class BlockedAddressError extends Error {
  override readonly name = 'BlockedAddressError'
  readonly code = 'ADDRESS_NOT_ALLOWED'

  constructor(message = 'The address is not allowed: only public addresses may be called.') {
    super(message)
  }
}
