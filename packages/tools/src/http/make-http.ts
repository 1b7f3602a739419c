import { type HttpPlan, type HttpToolConfig, httpPlan, isJsonObject } from '@troupe/contract'
import { configuredCredential } from '../credentials/configured-credential.ts'
import { performRequest } from '../request/perform-request.ts'
import type { RequestParts } from '../request/request-parts.ts'
import type { ToolBody, ToolMaker } from '../tool/tool-maker.ts'
import { buildRequest, type Unplaced } from './build-request.ts'

const RESPONSE_MAX_KB = 256
const NO_ARGUMENTS = { type: 'object', properties: {}, additionalProperties: false }

function unplacedOf(schema: Record<string, unknown>, plan: HttpPlan): Unplaced {
  const properties = isJsonObject(schema.properties) ? schema.properties : {}
  const open = schema.additionalProperties
  return {
    names: new Set(Object.keys(properties).filter((name) => !plan.placed.has(name))),
    open: open === true || isJsonObject(open),
  }
}

/** A tool that is one HTTP request. */
export const makeHttp: ToolMaker<'http', RequestParts> = (config, use, parts) => {
  const schema = config.input_schema ?? NO_ARGUMENTS
  const idempotent = config.idempotent ?? config.method === 'GET'
  const options = {
    credentialId: configuredCredential(config),
    maxBytes: (config.response_max_kb ?? RESPONSE_MAX_KB) * 1024,
    idempotent,
  }
  const planned = httpPlan(config)
  const body: ToolBody = {
    description: describe(config),
    inputSchema: schema,
    idempotent,
    async execute(input, call, context) {
      if (!planned.ok) {
        const [first] = planned.errors
        const message = `The tool is not configured correctly: ${first?.path} ${first?.message}.`
        return { ok: false, code: 'failed', message }
      }
      const { plan } = planned
      const built = buildRequest(plan, unplacedOf(schema, plan), { input, context })
      return performRequest(built, call, { use, parts, options })
    },
  }
  return [body]
}

function describe({ method, name }: HttpToolConfig): string {
  return `${name.replaceAll('_', ' ')} (HTTP ${method})`
}
