import {
  AGENT_CONFIG_DEFAULTS,
  AgentConfigInput,
  completeVoiceSettings,
  isJsonObject,
  type JsonObject,
  MANAGED_LEAD_DEFAULTS,
  ManagedLead,
  propertyOf,
  TEAM_CONFIG_DEFAULTS,
  TeamConfigInput,
  VoiceSettings,
} from '@troupe/contract'

/** The allowed values of a setting, from its schema in the contract. Absent limits do not exist. */
export interface SettingSpec {
  kind: 'switch' | 'number' | 'text' | 'choice' | 'choices' | 'texts' | 'json'
  /** Whether it may be null: not set. */
  isNullable: boolean
  isInteger?: boolean
  minimum?: number
  maximum?: number
  /** Characters of a text, or items of a list. */
  longest?: number
  choices?: readonly string[]
  /** Of `json`: text that is not JSON is also a valid value. */
  takesText?: true
  /** Its default value; absent: none. */
  standard?: unknown
}

/** Specs by path below `config`; an item of a list is `*`. */
export type SettingSpecs = Readonly<Record<string, SettingSpec>>

function specOf(schema: JsonObject, standard: unknown): SettingSpec {
  const types = [schema.type].flat()
  const choices = textsOf(schema.enum)
  const items = isJsonObject(schema.items) ? schema.items : {}
  const itemChoices = textsOf(items.enum)
  const common = {
    isNullable: types.includes('null') || textless(schema.enum),
    ...(standard === undefined ? {} : { standard }),
  }
  if (choices.length > 0) return { kind: 'choice', ...common, choices }
  if (types.includes('boolean')) return { kind: 'switch', ...common }
  if (types.includes('string'))
    return { kind: 'text', ...common, ...numberOf(schema, 'maxLength', 'longest') }
  if (types.includes('integer') || types.includes('number')) {
    return {
      kind: 'number',
      ...common,
      isInteger: types.includes('integer'),
      ...numberOf(schema, 'minimum', 'minimum'),
      ...numberOf(schema, 'maximum', 'maximum'),
    }
  }
  if (types.includes('array')) {
    const longest = numberOf(schema, 'maxItems', 'longest')
    if (itemChoices.length > 0) return { kind: 'choices', ...common, ...longest, choices: itemChoices }
    return { kind: items.type === 'string' ? 'texts' : 'json', ...common, ...longest }
  }
  return { kind: 'json', ...common, ...(takesText(schema.anyOf) ? { takesText: true } : {}) }
}

const takesText = (branches: unknown): boolean =>
  Array.isArray(branches) &&
  branches.some(
    (branch) => isJsonObject(branch) && branch.type === 'string' && textsOf(branch.enum).length === 0,
  )

const textsOf = (values: unknown): string[] =>
  Array.isArray(values) ? values.filter((value) => typeof value === 'string') : []
const textless = (values: unknown): boolean => Array.isArray(values) && values.includes(null)

function numberOf<Name extends string>(
  schema: JsonObject,
  key: string,
  name: Name,
): Partial<Record<Name, number>> {
  const value = schema[key]
  const found: Partial<Record<Name, number>> = {}
  if (typeof value === 'number') found[name] = value
  return found
}

/** The specs of a schema's settings. Objects with named keys are traversed, lists of such objects by `*`. */
function specsBelow(schema: unknown, standards: unknown, path: string): Record<string, SettingSpec> {
  const properties = propertyOf(schema, 'properties')
  if (!isJsonObject(properties)) {
    const spec = isJsonObject(schema) ? { [path]: specOf(schema, standards) } : {}
    const items = propertyOf(schema, 'items')
    return isJsonObject(propertyOf(items, 'properties'))
      ? { ...spec, ...specsBelow(items, undefined, `${path}.*`) }
      : spec
  }
  return Object.assign(
    {},
    ...Object.entries(properties).map(([key, child]) =>
      specsBelow(child, propertyOf(standards, key), path === '' ? key : `${path}.${key}`),
    ),
  )
}

/** The specs of each branch of a list of kinds, by its `type`. */
function specsByType(list: unknown): Record<string, Record<string, SettingSpec>> {
  const branches = propertyOf(propertyOf(list, 'items'), 'anyOf')
  if (!Array.isArray(branches)) return {}
  return Object.fromEntries(
    branches.map((branch: unknown) => {
      const type = propertyOf(propertyOf(propertyOf(branch, 'properties'), 'type'), 'const')
      return [String(type), specsBelow(branch, undefined, '')]
    }),
  )
}

/**
 * Every setting of an agent. The build replaces this module with its values, so that no page loads the schemas.
 */
export const AGENT_SPECS: SettingSpecs = specsBelow(AgentConfigInput, AGENT_CONFIG_DEFAULTS, '')

/** Every setting of a team; those of a managed lead are below `lead.managed`. */
export const TEAM_SPECS: SettingSpecs = {
  ...specsBelow(TeamConfigInput, TEAM_CONFIG_DEFAULTS, ''),
  ...specsBelow(ManagedLead, MANAGED_LEAD_DEFAULTS, 'lead.managed'),
}

/** The settings of each kind of tool. */
export const TOOL_SPECS: Readonly<Record<string, SettingSpecs>> = specsByType(
  AgentConfigInput.properties.tools,
)

/** The settings of each kind of guardrail. */
export const GUARDRAIL_SPECS: Readonly<Record<string, SettingSpecs>> = specsByType(
  AgentConfigInput.properties.guardrails.properties.input,
)

/**
 * Every setting of a voice, below `settings`. Texts have no default here: it depends on the language, and is shown in the empty
 * field.
 */
export const VOICE_SPECS: SettingSpecs = Object.fromEntries(
  Object.entries(specsBelow(VoiceSettings, completeVoiceSettings({}), 'settings')).map(
    ([path, { standard, ...spec }]) => {
      const isSaid = spec.kind === 'text' || spec.kind === 'texts' || spec.kind === 'json'
      return [path, isSaid || standard === null ? spec : { ...spec, standard }]
    },
  ),
)
