import type { Tool, ToolCall, ToolOutcome } from '../../ports/tool.ts'
import { Journal } from '../../run/journal.ts'
import { type Reply, type ScriptedCall, scriptedChat } from '../../testing/scripted-model.ts'
import { testActor, testContext } from '../../testing/test-context.ts'
import { agentLoop, type LoopLimits, type LoopRequest } from '../agent-loop.ts'

const LIMITS: LoopLimits = {
  maxSteps: 10,
  maxToolCalls: 50,
  parallelToolCalls: true,
  toolChoice: 'auto',
  repeatLimit: 3,
}

/** A tool that immediately returns its input; `change` overrides parts of it. */
export function tool(name: string, change: Partial<Tool> = {}): Tool {
  return {
    name,
    description: `The tool ${name}.`,
    inputSchema: { type: 'object' },
    approval: null,
    idempotent: false,
    rebuildsState: false,
    timeoutMs: null,
    maxResultBytes: 32_768,
    problemOf: () => null,
    execute: async (input): Promise<ToolOutcome> => ({ ok: true, text: `${name} ${JSON.stringify(input)}` }),
    ...change,
  }
}

/** An idempotent tool whose executions are recorded. */
export function recorded(name: string, seen: ToolCall[], change: Partial<Tool> = {}): Tool {
  return tool(name, {
    idempotent: true,
    execute: async (_, call) => {
      seen.push(call)
      return { ok: true, text: name }
    },
    ...change,
  })
}

/** The parts of a loop: the model's answers in order, or a function of the call. */
export interface LoopSetting {
  script: readonly Reply[] | ((call: ScriptedCall) => Reply)
  tools?: readonly Tool[]
  limits?: Partial<LoopLimits>
  journal?: Journal
  signal?: AbortSignal
  turn?: number
  request?: Partial<LoopRequest>
}

/** A loop in its own context, with all of its observable effects. */
export function startLoop({ script, tools, limits, journal, signal, turn, request }: LoopSetting) {
  let step = 0
  const models = scriptedChat((call) => {
    if (typeof script === 'function') return script(call)
    const reply = script[step++]
    if (reply === undefined) throw new Error('the script is over')
    return reply
  })
  const ctx = testContext({
    models,
    journal: journal ?? new Journal(),
    ...(signal && { signal }),
    ...(turn !== undefined && { turn }),
  })
  const actor = testActor()
  const result = agentLoop(ctx, {
    actor,
    keyPrefix: '',
    purpose: 'chat',
    prompt: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
    tools: tools ?? [],
    limits: { ...LIMITS, ...limits },
    channel: 'answer',
    transcript: ctx.output.transcript,
    ...request,
  })
  return { ctx, actor, calls: models.calls, result }
}
