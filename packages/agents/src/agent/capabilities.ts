import type { AgentConfig, FieldError, ToolConfig } from '@troupe/contract'

const BUILTINS: ReadonlySet<string> = new Set(['calculator', 'datetime', 'memory'])

function isExecuted(tool: ToolConfig): boolean {
  return tool.type !== 'builtin' || BUILTINS.has(tool.builtin)
}

/**
 * Every configured capability that this version validates but does not execute. Runs of such an agent are
 * refused: an answer without its tools or guardrails would look right and be wrong.
 */
export function missingCapabilities(config: AgentConfig): FieldError[] {
  const missing: FieldError[] = []
  const unless = (absent: boolean, path: string, what: string) => {
    if (!absent) missing.push({ path, message: `${what} cannot be executed by this version` })
  }
  for (const [index, tool] of config.tools.entries()) {
    unless(isExecuted(tool), `config.tools.${index}`, 'this tool')
  }
  return missing
}
