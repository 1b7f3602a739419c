import type { LeftOutTool, Tool, Toolboxes, ToolRun } from '@troupe/agents/ports'
import { shortened, type ToolConfig, type ToolType, toolNameOf } from '@troupe/contract'
import type { HeavyWork } from '@troupe/heavy-work'
import { offeredSchema, repairedSchema } from '@troupe/json-schema'
import { makeAgent } from './agent/make-agent.ts'
import { type BuiltinParts, makeBuiltin } from './builtin/make-builtin.ts'
import { type CodeParts, makeCode } from './code/make-code.ts'
import { makeHttp } from './http/make-http.ts'
import { type McpParts, makeMcp } from './mcp/make-mcp.ts'
import { DocumentCache } from './openapi/document-cache.ts'
import { makeOpenapi, type OpenapiParts } from './openapi/make-openapi.ts'
import type { RequestParts } from './request/request-parts.ts'
import { unsafeArgument } from './tool/argument-names.ts'
import { configuredTool } from './tool/configured-tool.ts'
import type { ToolBody, ToolMaker, ToolUse } from './tool/tool-maker.ts'
import { joinedName } from './tool/tool-name.ts'
import { makeWorkflow, type WorkflowToolParts } from './workflow/make-workflow.ts'

/** Shared dependencies of tools of every type. */
export interface ToolParts
  extends BuiltinParts,
    CodeParts,
    WorkflowToolParts,
    McpParts,
    RequestParts,
    OpenapiParts {}

/** The makers of tools by type. */
type Makers = { [T in ToolType]: ToolMaker<T, ToolParts> }

const MAKERS: Makers = {
  agent: makeAgent,
  builtin: makeBuiltin,
  code: makeCode,
  http: makeHttp,
  mcp: makeMcp,
  openapi: makeOpenapi,
  workflow: makeWorkflow,
}

async function bodiesOf(config: ToolConfig, use: ToolUse, parts: ToolParts): Promise<readonly ToolBody[]> {
  const make = MAKERS[config.type] as ToolMaker<ToolType, ToolParts> | undefined
  return (await make?.(config, use, parts)) ?? []
}

/** A tool, with its configuration if that yields several tools, whose names come from outside. */
interface MadeTool {
  tool: Tool
  several: ToolConfig | null
}

/** The tools of one configuration. A tool with arguments that cannot be described to models is omitted; the others are kept. */
async function toolsOf(
  config: ToolConfig,
  run: ToolRun,
  use: ToolUse,
  parts: ToolParts,
): Promise<MadeTool[]> {
  return (await bodiesOf(config, use, parts)).flatMap((body) => {
    const several = body.name === undefined ? null : config
    const leaveOut = (reason: string) => {
      use.leaveOut(body.name ?? toolNameOf(config) ?? config.type, reason)
      return []
    }
    const repaired = repairedSchema(body.inputSchema)
    if (!repaired.ok) return leaveOut(`Its input schema ${repaired.problem}.`)
    const tool = configuredTool(config, { ...body, inputSchema: repaired.schema }, run)
    const unsafe = unsafeArgument(offeredSchema(tool.inputSchema))
    return unsafe === null
      ? [{ tool, several }]
      : leaveOut(`Its argument ${shortened(unsafe, 100)} has a name that models cannot use.`)
  })
}

/**
 * Tools with unique names. Names from configurations are unchanged. If the name of a tool from a document or a server
 * is taken, it is prefixed with the name of its configuration (`crm_getOrder`). If that is not possible, or is taken
 * too, the tool is omitted.
 */
function withOwnNames(made: readonly MadeTool[], use: ToolUse): Tool[] {
  const configuredNames = made.flatMap(({ tool, several }) => (several === null ? [tool.name] : []))
  const taken = new Set(configuredNames)
  const left = new Set(configuredNames)
  return made.flatMap(({ tool, several }) => {
    if (several === null && left.delete(tool.name)) return [tool]
    const configured = several === null ? undefined : toolNameOf(several)
    const names = [tool.name, ...(configured === undefined ? [] : [joinedName(configured, tool.name)])]
    const name = names.find((one) => !taken.has(one))
    if (name === undefined) {
      use.leaveOut(tool.name, 'An earlier tool of the agent has its name.')
      return []
    }
    taken.add(name)
    return [name === tool.name ? tool : { ...tool, name }]
  })
}

/** Tools of every type. */
export function createToolboxes(given: Omit<ToolParts, 'documents'> & { heavy: HeavyWork }): Toolboxes {
  const parts = { ...given, documents: new DocumentCache(given) }
  return {
    async open(agent, run) {
      await using resources = new AsyncDisposableStack()
      const leftOut: LeftOutTool[] = []
      const use: ToolUse = {
        agent,
        run,
        resources,
        leaveOut(name, reason) {
          leftOut.push({ name, reason })
          parts.warn(use, `tool ${name} is omitted: ${reason}`)
        },
      }
      const tools = await Promise.all(agent.config.tools.map((config) => toolsOf(config, run, use, parts)))
      const named = withOwnNames(tools.flat(), use)
      const owned = resources.move()
      return { tools: named, leftOut, [Symbol.asyncDispose]: () => owned.disposeAsync() }
    },
  }
}
