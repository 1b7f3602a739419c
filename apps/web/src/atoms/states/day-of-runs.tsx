import { Badge } from './badge.tsx'

export interface DayOfRunsProps {
  ok: number
  failed: number
  words: { quiet: string; okRuns(count: number): string; failedRuns(count: number): string }
}

/** The last day's runs, and their failures. */
export function DayOfRuns({ ok, failed, words }: DayOfRunsProps) {
  if (ok + failed === 0) return <span>{words.quiet}</span>
  return (
    <>
      {words.okRuns(ok + failed)}
      {failed > 0 && (
        <>
          {' '}
          <Badge tone="bad">{words.failedRuns(failed)}</Badge>
        </>
      )}
    </>
  )
}
