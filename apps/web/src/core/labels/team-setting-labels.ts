import { pathPattern, type SettingWords } from '../forms/setting-words.ts'
import { MODEL_CHAIN_WORDS } from '../messages/en/model-chain.ts'
import { MODEL_LINK_WORDS } from '../messages/en/model-link.ts'
import { TEAM_PART_LABELS, TEAM_SETTING_WORDS } from '../messages/en/teams/settings.ts'

const MODEL = 'lead.managed.model.'

/** The words of a setting by its path below `config`; undefined for one that has none. */
export function teamSettingWords(path: string): SettingWords | undefined {
  const pattern = pathPattern(path)
  if (pattern.startsWith(MODEL)) return modelWords(pattern.slice(MODEL.length))
  return entry(TEAM_SETTING_WORDS, pattern)
}

function modelWords(path: string): SettingWords | undefined {
  const key = /^(?:primary|fallbacks\.\*)\.(\w+)/.exec(path)?.[1]
  return entry(MODEL_CHAIN_WORDS, path) ?? (key === undefined ? undefined : entry(MODEL_LINK_WORDS, key))
}

function entry<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined
}

/** The label of a setting by its whole path: that of the nearest labelled ancestor if it has none itself. */
export function teamSettingLabel(path: string): string {
  const below = pathPattern(path.replace(/^config\./, ''))
  for (let key = below; key !== ''; key = key.slice(0, Math.max(0, key.lastIndexOf('.')))) {
    const label = teamSettingWords(key)?.label ?? entry(TEAM_PART_LABELS, key)
    if (label !== undefined) return label
  }
  return path
}
