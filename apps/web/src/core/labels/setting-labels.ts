import { propertyOf } from '@troupe/contract'
import { valueAt } from '@troupe/editor/values/json-path'
import { pathPattern, type SettingWords } from '../forms/setting-words.ts'
import { AGENT_SETTING_WORDS } from '../messages/en/agents/agent-settings.ts'
import { agentToolWords, TOOL_SETTING_WORDS } from '../messages/en/agents/agent-tools.ts'
import { GUARDRAIL_SETTING_WORDS, guardrailWords } from '../messages/en/agents/guardrails.ts'
import { settingLabelWords } from '../messages/en/agents/setting-labels.ts'
import { modelChainWords } from '../messages/en/model-chain.ts'
import { MODEL_LINK_WORDS } from '../messages/en/model-link.ts'

type Table = Readonly<Record<string, SettingWords | undefined>>

const AGENT: Table = AGENT_SETTING_WORDS
const TOOL: Table = TOOL_SETTING_WORDS
const GUARDRAIL: Table = GUARDRAIL_SETTING_WORDS
const APPROVAL: Readonly<Record<string, string | undefined>> = {
  field: agentToolWords.approval.field,
  op: agentToolWords.approval.op,
  value: agentToolWords.approval.value,
}
const LINK: Table = MODEL_LINK_WORDS

/** The words of a setting of an agent, by its path below `config`; undefined for an unknown one. */
export function agentWordsOf(path: string): SettingWords | undefined {
  const pattern = pathPattern(path)
  return AGENT[pattern] ?? itemWords(pattern)
}

/** The words of a setting of a tool, a rule or a model. */
function itemWords(pattern: string): SettingWords | undefined {
  const [, list = '', key = ''] =
    /^(tools|guardrails\.input|guardrails\.output|model\.fallbacks)\.\*\.(\w+)$/.exec(pattern) ??
    /^(model\.primary)\.(\w+)$/.exec(pattern) ??
    []
  if (list === 'tools')
    return key === 'type' ? { ...TOOL_SETTING_WORDS.type, choices: agentToolWords.kinds } : TOOL[key]
  if (list.startsWith('model')) return LINK[key]
  if (list === '') return undefined
  return key === 'type' ? { ...GUARDRAIL_SETTING_WORDS.type, choices: guardrailWords.kinds } : GUARDRAIL[key]
}

/**
 * The label of a change in a list of changes: "Tool orders: Time limit". Unknown keys are shown by their path.
 *
 * @param path begins with `name`, `description` or `config`
 * @param config names the tools
 * @param item the whole item of a list at the path; `config` may have another one there, or none
 */
export function agentSettingLabel(path: string, config: unknown, item?: unknown): string {
  if (path === 'name' || path === 'description') return settingLabelWords[path]
  const inside = path.replace(/^config\.?/, '')
  if (inside === '') return settingLabelWords.config
  return partLabel(inside, config, item) ?? knownLabel(inside)
}

/** The label of a setting inside a list: a tool, a rule, a fallback, or of the primary model. */
function partLabel(path: string, config: unknown, item: unknown): string | null {
  const [, list = '', index = '', , key = ''] =
    /^(tools|guardrails\.input|guardrails\.output|model\.fallbacks)\.(\d+)(\.(.+))?$/.exec(path) ?? []
  const [name = '', ...rest] = key.split('.')
  const more = rest.length > 0 ? ` ${rest.join('.')}` : ''
  if (list === 'tools') {
    const tool = toolName(item ?? valueAt(config, `tools.${index}`)) ?? String(Number(index) + 1)
    return settingLabelWords.tool(tool, key === '' ? null : toolSettingLabel(key))
  }
  if (list === 'model.fallbacks') {
    const link = modelChainWords.fallback(Number(index) + 1)
    return key === '' ? link : settingLabelWords.part(link, `${labelOfLink(name)}${more}`)
  }
  if (list !== '') {
    const kind = propertyOf(item, 'type')
    if (isGuardrailKind(kind)) {
      return settingLabelWords.ruleOf(AGENT[list]?.label ?? list, guardrailWords.kinds[kind].label)
    }
    const rule = settingLabelWords.rule(AGENT[list]?.label ?? list, Number(index) + 1)
    return key === '' ? rule : settingLabelWords.part(rule, `${GUARDRAIL[name]?.label ?? name}${more}`)
  }
  const [, primary] = /^model\.primary\.(\w+)$/.exec(path) ?? []
  return primary ? settingLabelWords.part(modelChainWords.primary, labelOfLink(primary)) : null
}

function toolName(tool: unknown): string | null {
  const name = propertyOf(tool, 'name') ?? propertyOf(tool, 'builtin')
  return typeof name === 'string' && name !== '' ? name : null
}

function isGuardrailKind(kind: unknown): kind is keyof typeof guardrailWords.kinds {
  return typeof kind === 'string' && Object.hasOwn(guardrailWords.kinds, kind)
}

/** The label of a tool's setting: "Approval: Argument". @param key of the tool, with its part */
export function toolSettingLabel(key: string): string {
  const [name = '', ...rest] = key.split('.')
  const label = TOOL[name]?.label ?? name
  const part = name === 'approval' ? APPROVAL[rest.join('.')] : undefined
  if (part) return settingLabelWords.part(label, part)
  return [label, rest.join('.')].filter((text) => text !== '').join(' ')
}

function labelOfLink(name: string): string {
  return (
    LINK[name]?.label ??
    AGENT[`model.fallbacks.*.${name}`]?.label ??
    (name === 'on' ? settingLabelWords.on : name)
  )
}

/** The words of the longest known beginning of a path, and the rest of it. */
function knownLabel(path: string): string {
  const keys = path.split('.')
  for (let length = keys.length; length > 0; length -= 1) {
    const words = agentWordsOf(keys.slice(0, length).join('.'))
    const rest = keys.slice(length).join('.')
    if (!words) continue
    if (/^\d+$/.test(rest)) return settingLabelWords.item(words.label, Number(rest) + 1)
    return rest === '' ? words.label : settingLabelWords.part(words.label, rest)
  }
  return path
}
