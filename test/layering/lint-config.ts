import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './sources.ts'

type RuleSetting = string | { level?: string }
type Rules = Record<string, string | Record<string, RuleSetting>>

interface LintConfig {
  linter: { enabled?: boolean; rules: Rules }
  files: { includes: string[] }
  overrides: { includes: string[]; linter?: { enabled?: boolean; rules?: Rules } }[]
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

/** Places where a rule is disabled or weakened, by the name of the rule. */
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
