import type { RequestHeaders } from '@troupe/contract'
import { DomainError } from '@troupe/contract'
import { isMetricsInferred } from '../../config/exposure.ts'
import type { Context } from '../../wiring/context.ts'

/** Inputs of the decision. */
export type MetricsGate = Pick<Context, 'metricsReaders' | 'proxySigns'> & {
  config: { exposure: Pick<Context['config']['exposure'], 'metrics' | 'isStated'> }
}

/**
 * Admits a reader of `/metrics`. Without a token only if nobody else has access: on an admin port, or on a server that only this
 * machine reaches, until a proxy is detected.
 *
 * @throws DomainError `unauthorized`
 */
export function requireMetricsReader(gate: MetricsGate, headers: RequestHeaders): void {
  if (isMetricsReader(gate, headers)) return
  throw new DomainError(
    'unauthorized',
    'The metrics need TROUPE_METRICS_TOKEN or the admin token as a bearer token in the Authorization header.',
  )
}

/** Whether the caller may see operators' details. */
export function isMetricsReader(
  { config: { exposure }, metricsReaders, proxySigns }: MetricsGate,
  { authorization }: RequestHeaders,
): boolean {
  const [, ownToken] = metricsReaders
  const isExposed = isMetricsInferred(exposure) && proxySigns.seen
  const needsToken = exposure.metrics === 'token' || ownToken !== undefined || isExposed
  return !needsToken || metricsReaders.some((token) => token.matches(authorization))
}
