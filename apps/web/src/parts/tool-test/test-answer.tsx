import { CodeBlock } from '../../atoms/code/code-field.tsx'
import { Status } from '../../atoms/states/badge.tsx'
import { Callout } from '../../atoms/states/panels.tsx'
import { duration } from '../../core/format/times.ts'
import { toolTestWords as words } from '../../core/messages/en/resources/tool-test.ts'
import type { AnswerOf } from '../../infrastructure/client/operation-types.ts'
import styles from './tool-test.module.css'

export interface ToolTestAnswerProps {
  answer: AnswerOf<'testTool'>
  /** The configuration has changed since. */
  isFormer: boolean
}

/** The response of a test call, as the model would read it. */
export function ToolTestAnswer({ answer, isFormer }: ToolTestAnswerProps) {
  const time = duration(answer.ms)
  return (
    <section className={styles.answer} aria-label={words.result} aria-live="polite">
      {isFormer && <Callout tone="warn">{words.former}</Callout>}
      {answer.ok ? (
        <>
          <Status state="completed">{words.ok(time)}</Status>
          {answer.result === '' ? (
            <p className={styles.note}>{words.empty}</p>
          ) : (
            <CodeBlock label={words.result} text={laidOut(answer.result)} isWrapped />
          )}
        </>
      ) : (
        <>
          <Status state="failed">{words.error(answer.error.code, time)}</Status>
          <Callout tone="bad">{answer.error.message}</Callout>
          {answer.error.body && <CodeBlock label={words.body} text={answer.error.body} isWrapped />}
        </>
      )}
    </section>
  )
}

/** Short JSON on separate lines; any other text unchanged. */
function laidOut(text: string): string {
  if (text.length > 50_000 || !/^\s*[[{]/.test(text)) return text
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
