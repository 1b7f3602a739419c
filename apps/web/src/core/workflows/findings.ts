import type { WorkflowFinding } from '@troupe/contract'
import { isJsonObject } from '@troupe/contract'
import { isSameJson, valueAt } from '@troupe/editor/values/json-path'
import { pathWords } from '../format/path-words.ts'
import {
  fieldWords as fields,
  stepPartWords,
  findingWords as words,
} from '../messages/en/workflows/outline.ts'
import { choiceTitle, propertiesOf } from './node-schema.ts'

type Config = Record<string, unknown>

/** The place of a setting, in the words of its form. */
export interface SettingPlace {
  /**
   * The titles along the path, the numbers of items with those of their lists: `What reviewers see, 1`,
   * `Label`.
   */
  titles: readonly string[]
  /** The stored path without a schema label; '' if all of it is labelled. */
  rest: string
  /** The schema of the setting; empty when the schema does not name the full path. */
  schema: object
}

/** The path of a finding below the config of its node; null: it is not about the config. */
export function configPath(path: string): string | null {
  return /^nodes\.\d+\.config\.(.+)$/.exec(path)?.[1] ?? null
}

/** The words of a path below the config of a node; null: its schema does not name it. */
export function settingPlace(schema: object, config: Config, path: string): SettingPlace | null {
  const titles: string[] = []
  const keys = path.split('.')
  let at: { schema: Config; value: unknown } | undefined = { schema: { ...schema }, value: config }
  for (const [index, key] of keys.entries()) {
    at = at && below(at, key)
    if (!at) {
      return titles.length === 0 ? null : { titles, rest: keys.slice(index).join('.'), schema: {} }
    }
    const isItem = at.schema.title === undefined && /^\d+$/.test(key)
    const list = titles.at(-1)
    if (isItem && list !== undefined) titles[titles.length - 1] = `${list}, ${Number(key) + 1}`
    else titles.push(typeof at.schema.title === 'string' ? at.schema.title : key)
  }
  return { titles, rest: '', schema: at?.schema ?? {} }
}

/** A setting in words: "What reviewers see, 1: Label"; null: its schema does not name it. */
export function settingName(schema: object, config: Config, path: string): string | null {
  return titleOf(settingPlace(schema, config, path))
}

/** The words of a path below a node, such as `disabled` or `config.title`; null: nothing names it. */
export function stepPlace(schema: object, path: string): SettingPlace | null {
  const part = stepPartWords.get(path)
  if (part !== undefined) return { titles: [part], rest: '', schema: {} }
  const setting = /^config\.(.+)$/.exec(path)?.[1]
  return setting === undefined ? null : settingPlace(schema, {}, setting)
}

/** A place as one text: "Notify: E-mail, 3". */
export function titleOf(place: SettingPlace | null): string | null {
  return place && [...place.titles, ...(place.rest === '' ? [] : [place.rest])].join(': ')
}

/** A finding as one sentence, about an already named node. */
export function findingSentence(
  { path, message, nodeId }: Pick<WorkflowFinding, 'path' | 'message' | 'nodeId'>,
  schema: object,
  config: Config,
  names: ReadonlyMap<string, string> = new Map(),
): string {
  const setting = configPath(path)
  const name = setting && settingName(schema, config, setting)
  const place = name ?? (setting === null || nodeId === null ? placeWords(path) : setting)
  if (place !== '' && message === 'is required') return words.missing(place)
  const titled = setting === null ? message : titledMessage(message, schema, config, setting)
  return `${place} ${namedMessage(titled, names)}`.trim()
}

/** A part of a graph that is not a setting: “Connection 14: start”. */
function placeWords(path: string): string {
  const [, edge, end = ''] = /^edges\.(\d+)(?:\.(.+))?$/.exec(path) ?? []
  if (edge !== undefined) return words.connection(Number(edge) + 1, words.ends[end] ?? pathWords(end))
  const [, rest = ''] = /^nodes(?:\.\d+(?:\.(.+))?)?$/.exec(path) ?? [null, path]
  return pathWords(rest)
}

/** References to steps by id in messages: `a does not come before b`. */
const OF_STEPS = [
  /^(\S+) does not come before (\S+)$/d,
  /^(\S+) may be skipped when (\S+) runs; bring branches together in a Variable$/d,
  /^(\S+) may write variable \S+ at the same time; the last write wins$/d,
  /^(\S+) is not in the body of a Loop$/d,
  /^(\S+) is not a Loop$/d,
  /^is never reached: no path leads to it from the body of (\S+)$/d,
  /^there is no step (\S+)$/d,
  /^(\S+) is disabled, so its output is that of the step before it$/d,
  /^another edge leads from (\S+) \(\S+\) to (\S+)$/d,
]

/** A message with the names of steps in place of their ids; the token that it begins with keeps its id. */
function namedMessage(sentence: string, names: ReadonlyMap<string, string>): string {
  const token = /^\{\{[^{}]*\}\}: /.exec(sentence)?.[0] ?? ''
  const [, cycle] = /^is never reached, because it waits for itself \(cycle: (.+)\)$/.exec(sentence) ?? []
  if (cycle !== undefined) {
    const steps = cycle.split(' -> ').map((id) => names.get(id) ?? id)
    return sentence.replace(cycle, () => steps.join(' -> '))
  }
  const message = sentence.slice(token.length)
  const places = OF_STEPS.flatMap((pattern) => pattern.exec(message)?.indices?.slice(1) ?? [])
  // From the end, so that earlier positions stay valid.
  const named = places.toReversed().reduce((text, place) => {
    const name = place && names.get(message.slice(...place))
    return name === undefined ? text : `${text.slice(0, place?.[0])}“${name}”${text.slice(place?.[1])}`
  }, message)
  return token + named
}

/** A message about a setting, with the titles of the choices that it names in place of their stored values. */
export function titledMessage(message: string, schema: object, config: Config, path: string): string {
  const [, list] = /^must be one of: (.+)$/.exec(message) ?? []
  if (list !== undefined) {
    const own = settingPlace(schema, config, path)?.schema ?? {}
    return words.oneOf(list.split(', ').map((value) => choiceTitle(own, value) ?? value))
  }
  const [, low] = /^must not be less than (\w+)$/.exec(message) ?? []
  if (low !== undefined) {
    const other = settingPlace(schema, config, besideOf(path, low))?.titles.at(-1)
    return other === undefined ? message : words.notLess(other)
  }
  const [, mode] = /^is required when the mode is (.+)$/.exec(message) ?? []
  if (mode === undefined) return message
  const ofMode = settingPlace(schema, config, besideOf(path, 'mode'))?.schema ?? {}
  return words.requiredFor(choiceTitle(ofMode, mode) ?? mode)
}

const besideOf = (path: string, key: string) => [...path.split('.').slice(0, -1), key].join('.')

/** Findings by the path of their setting, without those about settings that have been changed since the check. */
export function findingsBySetting(
  findings: readonly WorkflowFinding[],
  checked: Config,
  typed: Config,
): ReadonlyMap<string, WorkflowFinding[]> {
  const bySetting = Map.groupBy(findings, ({ path }) => configPath(path) ?? '')
  bySetting.delete('')
  for (const setting of bySetting.keys()) {
    if (!isSameJson(valueAt(checked, setting), valueAt(typed, setting))) bySetting.delete(setting)
  }
  return bySetting
}

/** The sentences of {@link findingsBySetting}. */
export function faultsOf(
  findings: readonly WorkflowFinding[],
  schema: object,
  checked: Config,
  typed: Config,
  names: ReadonlyMap<string, string> = new Map(),
): ReadonlyMap<string, string> {
  const sentence = (message: string, setting: string) =>
    namedMessage(titledMessage(message, schema, typed, setting), names)
  return new Map(
    [...findingsBySetting(findings, checked, typed)].map(([setting, found]) => [
      setting,
      found.map(({ message }) => sentence(message, setting)).join('; '),
    ]),
  )
}

/** A condition, or a group of them, with the labels of its fields: its node type has no schema for them. */
const CONDITION: Config = {
  properties: {
    left: { title: fields.left },
    op: { title: fields.operator, choices: fields.operators },
    right: { title: fields.right },
    match: { title: fields.joined, choices: fields.match },
    conditions: { title: fields.conditions, form: { control: 'conditions' }, items: {} },
  },
}

/** A part of a config with its schema: of a list, one item. */
function below({ schema, value }: { schema: Config; value: unknown }, key: string) {
  if (/^\d+$/.test(key) && isJsonObject(schema.items)) {
    const isCondition = isJsonObject(schema.form) && schema.form.control === 'conditions'
    return {
      schema: isCondition ? CONDITION : schema.items,
      value: Array.isArray(value) ? value[Number(key)] : undefined,
    }
  }
  const properties = new Map(propertiesOf(schema, isJsonObject(value) ? value : {}))
  const own = properties.get(key)
  return own && { schema: own, value: valueAt(value, key) }
}
