import type { App } from './http/server-types.ts'

/** The server cannot listen where it was told to; the text says what to change. */
export class ListenError extends Error {
  override readonly name = 'ListenError'
}

/**
 * Starts listening.
 *
 * @param variable the variable that chose the port, for the error
 * @throws ListenError for a taken, forbidden or foreign address
 */
export async function listen(
  app: App,
  { host, port }: { host: string; port: number },
  variable: 'PORT' | 'TROUPE_ADMIN_PORT',
): Promise<void> {
  try {
    await app.listen({ host, port })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE') {
      throw new ListenError(
        `Port ${port} on ${host} is taken by another program. Stop it, or set ${variable} to a free port.`,
      )
    }
    if (code === 'EACCES') {
      throw new ListenError(`This user may not listen on port ${port}. Set ${variable} to one above 1023.`)
    }
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
      throw new ListenError(`HOST is ${host}, which is no address of this machine.`)
    }
    throw error
  }
}
