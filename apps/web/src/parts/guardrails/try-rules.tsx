import type { GuardrailStage } from '@troupe/contract'
import type { TriedGuardrails, TryGuardrailsBody } from '@troupe/contract/builder'
import { useState } from 'react'
import { CodeBlock } from '../../atoms/code/code-field.tsx'
import { TextArea } from '../../atoms/controls/text-field.tsx'
import { Disclosure } from '../../atoms/layout/disclosure.tsx'
import { SendButton } from '../../atoms/overlays/send-button.tsx'
import { FailurePanel } from '../../atoms/states/failure-panel.tsx'
import { Callout } from '../../atoms/states/panels.tsx'
import {
  guardrailActionLabel,
  guardrailKindLabel,
  guardrailReason,
} from '../../core/labels/guardrail-flag.ts'
import { guardrailWords as words } from '../../core/messages/en/agents/guardrails.ts'
import { useChange } from '../../infrastructure/queries/use-operation.ts'
import styles from './guardrails.module.css'

export interface TryRulesProps {
  stage: GuardrailStage
  /** The current rules, saved or not. */
  rules: readonly unknown[]
}

/** A text on which the current rules of a stage are tried. */
export function TryRules({ stage, rules }: TryRulesProps) {
  const [text, setText] = useState('')
  const [tried, setTried] = useState<(Tried & { rules: string }) | null>(null)
  const trying = useChange('tryGuardrails')
  const run = async () => {
    setTried(null)
    // The server reports the problems of an incomplete rule.
    const body = { stage, text, rules: [...rules] as TryGuardrailsBody['rules'] }
    const done = await trying.run({ body })
    if (done) setTried({ text, rules: JSON.stringify(rules), verdict: done.answer })
  }
  return (
    <Disclosure title={words.try}>
      <TextArea
        label={words.tryText}
        description={words.tryDetail}
        value={text}
        onChange={setText}
        maxLength={20_000}
        rows={3}
      />
      <div>
        <SendButton
          size="small"
          onPress={() => void run()}
          isPending={trying.isPending}
          isDisabled={text === ''}
        >
          {words.try}
        </SendButton>
      </div>
      <FailurePanel title={words.tryFailed} failure={trying.failure} />
      {tried && (tried.text !== text || tried.rules !== JSON.stringify(rules)) && (
        <p className={styles.none}>{words.former}</p>
      )}
      {tried && <Verdict {...tried} />}
    </Disclosure>
  )
}

interface Tried {
  text: string
  verdict: TriedGuardrails
}

function Verdict({ text, verdict }: Tried) {
  const { blocked, flags, untried } = verdict
  const after = blocked ?? verdict.text
  const changes = blocked !== null || after !== text
  return (
    <div className={styles.verdict} role="status">
      <Callout tone={blocked !== null ? 'bad' : flags.length > 0 ? 'warn' : 'good'}>
        {blocked !== null ? words.blocked : changes ? words.redacted : words.passes}
      </Callout>
      {changes && <CodeBlock label={words.tryText} text={after} />}
      {flags.length > 0 && (
        <ul aria-label={words.flags}>
          {flags.map(({ type, action, reason }) => (
            <li key={`${type} ${action} ${reason}`}>
              {words.flag(
                guardrailKindLabel(type),
                guardrailActionLabel(action),
                guardrailReason({ type, reason }),
              )}
            </li>
          ))}
        </ul>
      )}
      {untried.length > 0 && <p className={styles.none}>{words.untried(untried.map(guardrailKindLabel))}</p>}
    </div>
  )
}
