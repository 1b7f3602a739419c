/**
 * Starts the OpenTelemetry SDK and registers it process-wide; disposing flushes pending spans. Imported only
 * when tracing is on; sampling, headers and resource attributes come from the standard OTEL_* variables,
 * which the SDK reads itself.
 */
export async function startTracing(tracing: {
  /** OTLP endpoint for traces over HTTP. */
  endpoint: string
}): Promise<AsyncDisposable> {
  const [{ NodeSDK }, { OTLPTraceExporter }] = await Promise.all([
    import('@opentelemetry/sdk-node'),
    import('@opentelemetry/exporter-trace-otlp-http'),
  ])
  const sdk = new NodeSDK({
    serviceName: 'troupe',
    traceExporter: new OTLPTraceExporter({ url: tracing.endpoint }),
    instrumentations: [],
  })
  sdk.start()
  return { [Symbol.asyncDispose]: () => sdk.shutdown() }
}
