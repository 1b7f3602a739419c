import { endWithoutTeardown } from '@troupe/telemetry/end-process'
import { readEnv } from './config/env.ts'

endWithoutTeardown()

/** The health check of a container: exits with 0 when the server on this machine is ready. The image needs no other program for it. */
const { HOST: host, PORT: port, TROUPE_ADMIN_PORT: adminPort } = readEnv().values
const isEverywhere = host === null || host === '0.0.0.0' || host === '::'
const name = isEverywhere ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
try {
  const { status } = await fetch(`http://${name}:${adminPort ?? port ?? '3000'}/readyz`, {
    signal: AbortSignal.timeout(2_500),
  })
  process.exitCode = status === 200 ? 0 : 1
} catch {
  process.exitCode = 1
}
