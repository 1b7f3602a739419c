import { BusyError } from '@troupe/heavy-work'
import type { ToolBody, ToolMaker } from '../tool/tool-maker.ts'
import type { CodeSandbox } from './code-sandbox.ts'

const TIMEOUT_MS = 5_000
const MEMORY_MB = 64
/** How long a script may wait for a thread. */
const WAIT_MS = 30_000

/** Dependencies of scripts. */
export interface CodeParts {
  code: CodeSandbox
}

/** A tenant's script, run in a sandbox without network, files or timers. */
export const makeCode: ToolMaker<'code', CodeParts> = (config, { run }, { code }): readonly ToolBody[] => {
  const timeoutMs = config.timeout_ms ?? TIMEOUT_MS
  const script = { source: config.source, timeoutMs, memoryMb: config.memory_mb ?? MEMORY_MB }
  return [
    {
      description: 'Runs a script on its arguments.',
      inputSchema: config.input_schema ?? { type: 'object' },
      idempotent: true,
      timeoutMs: timeoutMs + WAIT_MS,
      async execute(input, { signal }) {
        const outcome = await code
          .run(script, JSON.stringify(input), run.organizationId, signal)
          .catch((error: unknown) => {
            if (error instanceof BusyError) return error
            throw error
          })
        if (outcome instanceof BusyError) return { ok: false, code: 'unavailable', message: outcome.message }
        if (outcome.ok) return { ok: true, text: outcome.json }
        const message = outcome.fault === 'syntax' ? `The script ${outcome.message}` : outcome.message
        return { ok: false, code: outcome.fault === 'time' ? 'timeout' : 'failed', message }
      },
    },
  ]
}
