import type { Clock } from '@troupe/agents/ports'
import type { ToolBody, ToolMaker } from '../tool/tool-maker.ts'
import { calculator } from './calculator.ts'
import { datetime } from './datetime.ts'
import { memory } from './memory.ts'

/** What the builtins need. */
export interface BuiltinParts {
  clock: Pick<Clock, 'now'>
}

/** The tools that come with Troupe. */
export const makeBuiltin: ToolMaker<'builtin', BuiltinParts> = (
  config,
  { agent, run },
  { clock },
): readonly ToolBody[] => {
  switch (config.builtin) {
    case 'calculator':
      return [calculator()]
    case 'datetime':
      return [datetime(clock, agent.config.prompt.timezone)]
    case 'memory':
      return [memory(run.memory)]
    default:
      return []
  }
}
