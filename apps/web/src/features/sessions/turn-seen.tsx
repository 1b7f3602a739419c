import type { IdText, RunId } from '@troupe/contract'
import type { SessionDetail } from '@troupe/contract/builder'
import { CodeBlock } from '../../atoms/code/code-field.tsx'
import { AskedPanel } from '../../atoms/states/asked-panel.tsx'
import { Callout } from '../../atoms/states/panels.tsx'
import { wholeNumber } from '../../core/format/numbers.ts'
import { sessionWords as words } from '../../core/messages/en/operate/sessions.ts'
import { type SeenPart, seenParts } from '../../core/sessions/seen-parts.ts'
import { historyOf, instructionsOf } from '../../core/sessions/version-settings.ts'
import { useOperation } from '../../infrastructure/queries/use-operation.ts'
import styles from './sessions.module.css'

interface TurnSeenProps {
  seq: number
  turns: SessionDetail['turns']
  session: SessionDetail
}

/** A turn's prompt, rebuilt from the stored data and marked as such. */
export function TurnSeen({ seq, turns, session }: TurnSeenProps) {
  const turn = turns.find((one) => one.seq === seq)
  const { kind, entity } = session
  const versionId = turn?.run.versionId ?? ''
  const ofAgent = useOperation(
    'getAgentVersion',
    { params: { agentId: entity.id, versionId } },
    { isEnabled: kind === 'agent' && versionId !== '' },
  )
  const ofTeam = useOperation(
    'getTeamVersion',
    { params: { teamId: entity.id, versionId } },
    { isEnabled: kind === 'team' && versionId !== '' },
  )
  const version: typeof ofAgent | typeof ofTeam = kind === 'agent' ? ofAgent : ofTeam
  return (
    <>
      <Callout tone="warn">{words.sawDetail}</Callout>
      <AskedPanel asked={{ ...version, data: version.data?.config as unknown }} failed={words.sessionFailed}>
        {(config) => <SeenTexts config={config} seq={seq} turns={turns} session={session} />}
      </AskedPanel>
      {turn && <SeenCalls runId={turn.run.runId} />}
    </>
  )
}

function SeenTexts({ config, seq, turns, session }: TurnSeenProps & { config: unknown }) {
  const history = historyOf(config)
  const instructions = instructionsOf(config)
  const { parts, isComplete } = seenParts(seq, turns, session.summary, history)
  return (
    <>
      {!history.enabled && <p className={styles.quiet}>{words.historyOff}</p>}
      {history.enabled && history.maxRuns !== null && (
        <p className={styles.quiet}>{words.historyLimit(history.maxRuns)}</p>
      )}
      {instructions !== '' && <Said label={words.instructions} text={instructions} />}
      {!isComplete && <p className={styles.quiet}>{words.older}</p>}
      {parts.map((part) => (
        <SeenText key={part.kind === 'turn' ? part.turn.seq : part.kind} part={part} />
      ))}
    </>
  )
}

function SeenText({ part }: { part: SeenPart }) {
  if (part.kind === 'summary') return <Said label={words.summary} text={part.text} />
  if (part.kind === 'message') {
    return part.text === null ? (
      <p className={styles.quiet}>{words.notKept}</p>
    ) : (
      <Said label={words.message} text={part.text} />
    )
  }
  const { seq, input, content } = part.turn
  return (
    <>
      <Said label={words.saidBy(words.turn(seq), words.you)} text={input ?? words.notKept} />
      <Said label={words.saidBy(words.turn(seq), words.answer)} text={content ?? words.noAnswer} />
    </>
  )
}

/** A text with its author above. */
function Said({ label, text }: { label: string; text: string }) {
  return (
    <div className={styles.seen}>
      <span className={styles.quiet}>{label}</span>
      <CodeBlock label={label} text={text} isWrapped />
    </div>
  )
}

function SeenCalls({ runId }: { runId: IdText<RunId> }) {
  const run = useOperation('getRun', { params: { runId } })
  const calls = run.data?.agentRun?.calls ?? []
  if (calls.length === 0) return null
  const tokens = calls.reduce((sum, { inputTokens }) => sum + inputTokens, 0)
  return <p className={styles.quiet}>{words.calls(calls.length, wholeNumber(tokens))}</p>
}
