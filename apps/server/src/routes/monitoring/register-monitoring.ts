import type { App } from '@troupe/http/server-types'
import type { Context } from '../../wiring/context.ts'
import { ReadinessCheck } from './readiness.ts'
import { isMetricsReader, type MetricsGate, requireMetricsReader } from './require-metrics-reader.ts'

/** Dependencies of the operations surface. */
export type MonitoringParts = Pick<Context, 'lifecycle' | 'database' | 'engine' | 'metrics' | 'storage'> &
  MetricsGate

/**
 * `/healthz` (liveness), `/readyz` (readiness) and `/metrics`; for the operator's monitoring. Only the
 * metrics may need a token.
 */
export function registerMonitoring(
  app: App,
  { lifecycle, database, engine, metrics, storage, ...gate }: MonitoringParts,
): void {
  const readiness = new ReadinessCheck({ lifecycle, database, engine, storage })

  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async (request, reply) => {
    const outcome = await readiness.check()
    if (outcome.ready) return { status: 'ready' }
    // Internal addresses are only for readers of the metrics.
    const isOperator = isMetricsReader(gate, request.headers)
    const missing = outcome.missing.map(({ name, detail }) =>
      isOperator && detail !== null ? `${name}: ${detail}` : name,
    )
    return reply.code(503).send({ status: 'unavailable', missing })
  })
  app.get('/metrics', async (request, reply) => {
    requireMetricsReader(gate, request.headers)
    return reply.type(metrics.registry.contentType).send(await metrics.registry.metrics())
  })
}
