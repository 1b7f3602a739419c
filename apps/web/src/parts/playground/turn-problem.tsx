import { Button } from '../../atoms/controls/button.tsx'
import { LinkButton } from '../../atoms/controls/text-link.tsx'
import { ErrorPanel } from '../../atoms/states/panels.tsx'
import { playgroundWords as words } from '../../core/messages/en/parts/playground.ts'
import type { PlaygroundTurn } from '../../core/playground/turns.ts'
import type { OrganizationPaths } from '../../core/url/paths.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { focusComposer } from './composer.tsx'

export interface TurnProblemProps {
  turn: PlaygroundTurn
  /** null: not now. */
  onRetry: (() => void) | null
  onReadOn: (() => void) | null
}

/** Why there is no answer, what to do about it, and the id to look for in the log. */
export function TurnProblem({ turn, onRetry, onReadOn }: TurnProblemProps) {
  const { paths } = usePlace()
  const { run, failure } = turn
  const failed = run.end?.kind === 'failed' ? run.end : null
  const problem = failed ?? failure
  if (problem === null) return null
  const isLost = failed === null && run.runId !== null
  const title = failed ? words.failedTitle.run : isLost ? words.failedTitle.lost : words.failedTitle.start
  const fields = failure?.errors.map(({ path, message }) => `${path} ${message}.`) ?? []
  const text = [problem.message, ...fields, isLost ? words.lostDetail : words.advice(problem.code)]
  return (
    <ErrorPanel
      title={title}
      message={text.filter(Boolean).join(' ')}
      requestId={failure?.requestId ?? null}
      actions={
        <>
          {settingsOf(problem.code, paths).map(({ label, href }) => (
            <LinkButton key={href} size="small" href={href}>
              {label}
            </LinkButton>
          ))}
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

/** The button goes away with the problem. */
function thenWrite(act: () => void): () => void {
  return () => {
    act()
    focusComposer()
  }
}

/** Where the cause of a failure is changed. */
function settingsOf(code: string, paths: OrganizationPaths): { label: string; href: string }[] {
  switch (code) {
    case 'llm_configuration_not_found':
    case 'model_price_missing':
    case 'upstream_error':
      return [{ label: words.toModels, href: paths.settings('models') }]
    case 'budget_exceeded':
      return [{ label: words.toBudgets, href: paths.settings('budgets') }]
    default:
      return []
  }
}
