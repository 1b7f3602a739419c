import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './sources.ts'

type RuleSetting =
  | string
  | { level?: string; options?: { patterns?: { group: string[]; message?: string }[] } }
type Rules = Record<string, string | Record<string, RuleSetting>>

interface LintConfig {
  linter: { enabled?: boolean; rules: Rules }
  files: { includes: string[] }
  overrides: { includes: string[]; linter?: { enabled?: boolean; rules?: Rules } }[]
}

/** What one part of the repository may import, as the linter holds it. */
export interface Zone {
  includes: string[]
  /** Specifiers, where `*` stands for a part and `**` for any depth. */
  allowed: string[]
  message: string
}

export function lintConfig(): LintConfig {
  return JSON.parse(readFileSync(join(ROOT, 'biome.json'), 'utf8')) as LintConfig
}

/** The level of a rule in the main configuration. */
export function levelOf(config: LintConfig, group: string, rule: string): string | undefined {
  const rules = config.linter.rules[group]
  const setting = typeof rules === 'object' ? rules[rule] : undefined
  return typeof setting === 'object' ? setting.level : setting
}

/** The zones that allow a list and forbid the rest. */
export function zones(config: LintConfig): Zone[] {
  return config.overrides.flatMap(({ includes, linter }) => {
    const style = linter?.rules?.style
    const setting = typeof style === 'object' ? style.noRestrictedImports : undefined
    if (typeof setting !== 'object' || setting.level !== 'error') return []
    return (setting.options?.patterns ?? [])
      .filter(({ group }) => group[0] === '**')
      .map(({ group, message = '' }) => ({
        includes,
        allowed: group.slice(1).map((pattern) => pattern.replace(/^!/, '')),
        message,
      }))
  })
}

/** Where a rule is switched off or weakened, by the name of the rule. */
export function exceptions(config: LintConfig): Record<string, string[]> {
  const found: Record<string, string[]> = {}
  for (const { includes, linter } of config.overrides) {
    if (linter?.enabled === false) found['*'] = [...(found['*'] ?? []), ...includes]
    for (const rules of Object.values(linter?.rules ?? {})) {
      if (typeof rules !== 'object') continue
      for (const [rule, setting] of Object.entries(rules)) {
        const level = typeof setting === 'object' ? setting.level : setting
        if (level !== 'error') found[rule] = [...(found[rule] ?? []), ...includes]
      }
    }
  }
  return found
}
