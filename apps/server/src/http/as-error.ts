/** What was thrown as an `Error`, as Fastify's callbacks take it. */
export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown))
}
