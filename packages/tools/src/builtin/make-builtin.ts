import type { Clock } from '@troupe/agents/ports'
import { configuredCredential } from '../credentials/configured-credential.ts'
import type { RequestParts } from '../request/request-parts.ts'
import type { ToolBody, ToolMaker } from '../tool/tool-maker.ts'
import { calculator } from './calculator.ts'
import { datetime } from './datetime.ts'
import { memory } from './memory.ts'
import { webFetch } from './web-fetch.ts'
import { webSearch } from './web-search.ts'

/** Dependencies of the builtins. */
export interface BuiltinParts extends RequestParts {
  clock: Pick<Clock, 'now'>
}

/** The tools that come with Troupe. */
export const makeBuiltin: ToolMaker<'builtin', BuiltinParts> = (config, use, parts): readonly ToolBody[] => {
  switch (config.builtin) {
    case 'calculator':
      return [calculator()]
    case 'datetime':
      return [datetime(parts.clock, use.agent.config.prompt.timezone)]
    case 'memory':
      return [memory(use.run.memory)]
    case 'web_fetch':
      return [webFetch(parts.fetch)]
    case 'web_search':
      return [webSearch(configuredCredential(config), use, parts)]
    default:
      return config.builtin satisfies never
  }
}
