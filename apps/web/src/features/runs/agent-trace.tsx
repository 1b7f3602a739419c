import type { AgentRunDetail } from '@troupe/builder-contract'
import { Card, Section } from '../../atoms/layout/page.tsx'
import { Markdown } from '../../atoms/markdown/markdown.tsx'
import { Badge, Status } from '../../atoms/states/badge.tsx'
import { Callout } from '../../atoms/states/panels.tsx'
import type { Column } from '../../atoms/table/columns.ts'
import { DataTable } from '../../atoms/table/data-table.tsx'
import { money, wholeNumber } from '../../core/format/numbers.ts'
import { duration } from '../../core/format/times.ts'
import { runWords } from '../../core/messages/en/runs.ts'
import { stateOfRun } from '../../core/runs/run-state.ts'
import styles from './runs.module.css'

type ModelCallRow = AgentRunDetail['calls'][number] & { place: number }
type MemberRow = AgentRunDetail['members'][number]

const CALLS: readonly Column<ModelCallRow>[] = [
  {
    id: 'model',
    title: runWords.model,
    cell: ({ modelId, isFallback }) => (
      <>
        {modelId} {isFallback && <Badge tone="warn">{runWords.fallback}</Badge>}
      </>
    ),
  },
  { id: 'purpose', title: runWords.purpose, from: 'wide', cell: ({ purpose }) => purpose },
  {
    id: 'result',
    title: runWords.result,
    width: '128px',
    cell: ({ ok, errorCode }) => (
      <Status state={ok ? 'completed' : 'failed'}>{ok ? runWords.ok : (errorCode ?? runWords.error)}</Status>
    ),
  },
  {
    id: 'first',
    title: runWords.firstToken,
    align: 'end',
    width: '96px',
    from: 'wide',
    cell: ({ firstTokenMs }) => (firstTokenMs === null ? '–' : duration(firstTokenMs)),
  },
  {
    id: 'latency',
    title: runWords.latency,
    align: 'end',
    width: '88px',
    cell: ({ latencyMs }) => duration(latencyMs),
  },
  {
    id: 'tokens',
    title: runWords.tokens,
    align: 'end',
    width: '120px',
    from: 'wide',
    cell: ({ inputTokens, outputTokens }) => `${wholeNumber(inputTokens)} + ${wholeNumber(outputTokens)}`,
  },
  {
    id: 'cost',
    title: runWords.cost,
    align: 'end',
    width: '88px',
    from: 'widest',
    cell: ({ costUsd }) => money(costUsd),
  },
]

/** What an agent or a team did: question, answer, members and model calls. */
export function AgentTrace({ run }: { run: AgentRunDetail }) {
  const { input, content, storesMessages, members, calls } = run
  return (
    <>
      {!storesMessages && <Callout>{runWords.notKept}</Callout>}
      {input !== null && (
        <Section title={runWords.input}>
          <Card>
            <p className={styles.text}>{input}</p>
          </Card>
        </Section>
      )}
      {content !== null && (
        <Section title={runWords.answer}>
          <Card>
            <Markdown text={content} />
          </Card>
        </Section>
      )}
      {members.length > 0 && (
        <Section title={runWords.members}>
          {members.map((member) => (
            <MemberPart key={member.runId} member={member} />
          ))}
        </Section>
      )}
      {calls.length > 0 && (
        <Section title={runWords.calls} detail={runWords.callsDetail}>
          <DataTable
            label={runWords.calls}
            rows={calls.map((call, place) => ({ ...call, place }))}
            columns={CALLS}
            idOf={({ place }) => String(place)}
            nameOf={({ modelId, purpose }) => `${modelId}, ${purpose}`}
          />
        </Section>
      )}
    </>
  )
}

function MemberPart({ member }: { member: MemberRow }) {
  const { agentName, status, input, content, error, startedMs, completedMs } = member
  return (
    <Card>
      <div className={styles.head}>
        <strong>{agentName ?? runWords.gone}</strong>
        <Status state={stateOfRun(status)}>{runWords.statuses[status]}</Status>
        {completedMs !== null && <span className={styles.end}>{duration(completedMs - startedMs)}</span>}
      </div>
      {input !== null && <p className={styles.asked}>{input}</p>}
      {content !== null && <Markdown text={content} />}
      {error !== null && <p className={styles.failed}>{error}</p>}
    </Card>
  )
}
