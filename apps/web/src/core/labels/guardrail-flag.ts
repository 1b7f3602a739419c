import type { GuardrailFlag } from '@troupe/contract'
import { GUARDRAIL_SETTING_WORDS, guardrailWords } from '../messages/en/agents/guardrails.ts'

type Labels = Readonly<Record<string, { label: string } | undefined>>

const KINDS: Labels = guardrailWords.kinds
const ACTIONS: Labels = {
  ...GUARDRAIL_SETTING_WORDS.on_error.choices,
  ...GUARDRAIL_SETTING_WORDS.action.choices,
}
/** The findings named in the kinds' reasons, as in "Found 2 email, 1 card." and "Found hate, self_harm." */
const FOUND: Readonly<Record<string, Labels | undefined>> = {
  pii: GUARDRAIL_SETTING_WORDS.entities.choices,
  moderation: GUARDRAIL_SETTING_WORDS.categories.choices,
}

/** The label of a kind of rule in its form. */
export function guardrailKindLabel(type: string): string {
  return own(KINDS, type) ?? type
}

/** The action of a rule, with the label of its form. */
export function guardrailActionLabel(action: string): string {
  return own(ACTIONS, action) ?? action
}

/** The reason of a broken rule; its findings have the labels of the form. */
export function guardrailReason({ type, reason }: Pick<GuardrailFlag, 'type' | 'reason'>): string {
  const labels = Object.hasOwn(FOUND, type) ? FOUND[type] : undefined
  const [, list] = /^Found (.+)\.$/.exec(reason) ?? []
  if (labels === undefined || list === undefined) return reason
  return guardrailWords.found(
    list.split(', ').map((part) => {
      const [, count = null, key = part] = /^(?:(\d+) )?(\w+)$/.exec(part) ?? []
      const label = own(labels, key)
      return label === undefined ? part : guardrailWords.foundPart(label, count)
    }),
  )
}

/** The stage at which a rule stopped a run; null: none did. */
export function blockingStage(flags: readonly GuardrailFlag[]): GuardrailFlag['stage'] | null {
  return flags.find(({ action }) => action === 'block')?.stage ?? null
}

function own(labels: Labels, key: string): string | undefined {
  return Object.hasOwn(labels, key) ? labels[key]?.label : undefined
}
