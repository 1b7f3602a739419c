import { createServer } from 'node:net'
import { propertyOf } from '@troupe/contract'
import type { App } from '@troupe/http/server-types'

/** The server cannot listen on the configured address; the message says which setting to change. */
export class ListenError extends Error {
  override readonly name = 'ListenError'
}

/** The address of a server, and the variable that chose the port. */
export interface ListenAddress {
  host: string
  port: number
  variable: 'PORT' | 'TROUPE_ADMIN_PORT' | 'VOICE_INTERNAL_LISTEN'
}

/**
 * Checks early whether the address is available, before any slow start-up work.
 *
 * @throws ListenError
 */
export async function probeAddress(address: ListenAddress): Promise<void> {
  const probe = createServer()
  try {
    await new Promise<void>((resolve, reject) => {
      probe.once('error', reject)
      probe.listen(address.port, address.host, resolve)
    })
  } catch (error) {
    throw explained(error, address)
  }
  await new Promise((resolve) => probe.close(resolve))
}

/**
 * Starts listening.
 *
 * @throws ListenError for a taken, forbidden or foreign address
 */
export async function listen(app: App, address: ListenAddress): Promise<void> {
  try {
    await app.listen({ host: address.host, port: address.port })
  } catch (error) {
    throw explained(error, address)
  }
}

function explained(error: unknown, { host, port, variable }: ListenAddress): unknown {
  const code = propertyOf(error, 'code')
  if (code === 'EADDRINUSE') {
    return new ListenError(
      `Port ${port} on ${host} is in use by another program. Stop it, or set ${variable} to a free port.`,
    )
  }
  if (code === 'EACCES') {
    return new ListenError(`This user may not listen on port ${port}. Set ${variable} to one above 1023.`)
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new ListenError(`HOST is ${host}, which is not an address of this machine.`)
  }
  return error
}
