import { Button } from '../../atoms/controls/button.tsx'
import { ErrorPanel } from '../../atoms/states/panels.tsx'
import { fieldName } from '../../core/forms/field-name.ts'
import { failureAdviceWords } from '../../core/messages/en/parts/failure-advice.ts'
import { playgroundWords as words } from '../../core/messages/en/parts/playground.ts'
import type { PlaygroundTurn } from '../../core/playground/turns.ts'
import { SettingsOfFailure } from '../failures/settings-of-failure.tsx'
import { focusComposer } from './composer.tsx'

export interface TurnProblemProps {
  turn: PlaygroundTurn
  /** null: currently unavailable. */
  onRetry: (() => void) | null
  onReadOn: (() => void) | null
}

/** The reason of a missing answer, the next step, and the id for the log. */
export function TurnProblem({ turn, onRetry, onReadOn }: TurnProblemProps) {
  const { run, failure } = turn
  const failed = run.end?.kind === 'failed' ? run.end : null
  const problem = failed ?? failure
  if (problem === null) return null
  const isLost = failed === null && run.runId !== null
  const title = failed ? failureAdviceWords.failed : isLost ? words.failedTitle.lost : words.failedTitle.start
  const fields = failure?.errors.map(({ path, message }) => `${fieldName(path)} ${message}.`) ?? []
  const text = [
    problem.message,
    ...fields,
    isLost ? words.lostDetail : failureAdviceWords.advice(problem.code),
  ]
  return (
    <ErrorPanel
      title={title}
      message={text.filter(Boolean).join(' ')}
      requestId={failure?.requestId ?? null}
      actions={
        <>
          <SettingsOfFailure code={problem.code} />
          {isLost && onReadOn && (
            <Button size="small" onPress={thenWrite(onReadOn)}>
              {words.readOn}
            </Button>
          )}
          {!isLost && onRetry && (
            <Button size="small" onPress={thenWrite(onRetry)}>
              {words.retry}
            </Button>
          )}
        </>
      }
    />
  )
}

/** The button disappears with the problem. */
function thenWrite(act: () => void): () => void {
  return () => {
    act()
    focusComposer()
  }
}
