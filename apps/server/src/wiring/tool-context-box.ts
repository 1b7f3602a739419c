import type { ToolContextBox } from '@troupe/agents/ports'
import { isJsonObject } from '@troupe/contract'
import type { SecretBox, SecretPlace } from '@troupe/secrets'

const placeOf = (id: string): SecretPlace => ({ purpose: 'run.tool_context', id })

/** Seals the `tool_context` of jobs with the key of the deployment's secrets. */
export function toolContextBox(box: SecretBox): ToolContextBox {
  return {
    seal: (runId, context) => box.seal(JSON.stringify(context), placeOf(runId)),
    open(runId, sealed) {
      const context: unknown = JSON.parse(box.open(sealed, placeOf(runId)))
      return isJsonObject(context) ? context : {}
    },
  }
}
