import { CopyButton } from '../../atoms/controls/copy-field.tsx'
import { TextLink } from '../../atoms/controls/text-link.tsx'
import { useSeen } from '../../atoms/layout/use-seen.ts'
import { money, wholeNumber } from '../../core/format/numbers.ts'
import { duration } from '../../core/format/times.ts'
import { playgroundWords as words } from '../../core/messages/en/parts/playground.ts'
import type { PlaygroundTurn } from '../../core/playground/turns.ts'
import { runTokens } from '../../core/runs/run-view.ts'
import { tokensOfRun } from '../../core/runs/tokens-text.ts'
import { useOperation } from '../../infrastructure/queries/use-operation.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import styles from './playground.module.css'

/** The cost of an answer, and a link to its trace. */
export function RunFacts({ turn, answer }: { turn: PlaygroundTurn; answer: string }) {
  const { paths } = usePlace()
  const { run, firstTextMs, tookMs } = turn
  const [place, isSeen] = useSeen<HTMLDivElement>()
  const runId = run.runId ?? ''
  const stored = useOperation(
    'getRun',
    { params: { runId } },
    { isEnabled: run.end !== null && runId !== '' && isSeen, isFinal: true },
  )
  if (runId === '') return null
  const calls = stored.data?.agentRun?.calls ?? []
  const shown = runTokens(run)
  const tokens = (stored.data && tokensOfRun(stored.data)) ?? { ...shown, hasAllTokens: true }
  const isUnknown = !tokens.hasAllTokens && tokens.inputTokens + tokens.outputTokens === 0
  // The server measures single calls: with several, none has the time of the first token.
  const firstTokenMs = calls.length === 1 ? (calls[0]?.firstTokenMs ?? null) : null
  // Measured by the same clock as the first token: the server's time begins with its work, after the message was sent.
  const latencyMs =
    tookMs ?? stored.data?.durationMs ?? (run.end?.kind === 'completed' ? run.end.latencyMs : null)
  const models = [...new Set(calls.filter(({ ok }) => ok).map(({ modelId }) => modelId))]
  const cost = stored.data?.costUsd ?? null
  return (
    <div ref={place} className={styles.facts}>
      {answer !== '' && <CopyButton text={answer} label={words.copyAnswer} />}
      <span title={words.tokensDetail}>
        {isUnknown
          ? words.tokensUnknown
          : words.tokens(wholeNumber(tokens.inputTokens), wholeNumber(tokens.outputTokens))}
      </span>
      {firstTextMs !== null ? (
        <span title={words.firstWordDetail}>{words.firstWord(duration(firstTextMs))}</span>
      ) : (
        firstTokenMs !== null && (
          <span title={words.firstTokenDetail}>{words.firstToken(duration(firstTokenMs))}</span>
        )
      )}
      {latencyMs !== null && <span>{duration(latencyMs)}</span>}
      {cost !== null && <span>{money(cost)}</span>}
      {models.length > 0 && <span>{models.join(', ')}</span>}
      <TextLink href={paths.run(runId)} look="plain">
        {words.trace}
      </TextLink>
    </div>
  )
}
