import type { RunId } from '@troupe/contract'

/** Port: encrypts the `tool_context` of jobs, whose turns may run in another process. */
export interface ToolContextBox {
  seal(runId: RunId, context: Readonly<Record<string, unknown>>): string
  /** @throws Error if no key decrypts the envelope; its text holds no secret */
  open(runId: RunId, sealed: string): Record<string, unknown>
}
