import { createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
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

/** Milliseconds for which an ending predecessor may still hold the port; the same as for the data folder. */
const WAIT_MS = 2_000
const RETRY_MS = 50

/**
 * Checks early whether the address is available, before any slow start-up work. Waits up to two seconds for a taken port.
 *
 * @throws ListenError
 */
export async function probeAddress(address: ListenAddress): Promise<void> {
  const endMs = performance.now() + WAIT_MS
  for (;;) {
    try {
      return await listenBriefly(address)
    } catch (error) {
      if (propertyOf(error, 'code') !== 'EADDRINUSE' || performance.now() >= endMs)
        throw explained(error, address)
    }
    await pause(RETRY_MS)
  }
}

async function listenBriefly({ host, port }: ListenAddress): Promise<void> {
  const probe = createServer()
  await new Promise<void>((resolve, reject) => {
    probe.once('error', reject)
    probe.listen(port, host, resolve)
  })
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
