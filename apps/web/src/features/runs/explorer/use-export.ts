import type { ListedRun } from '@troupe/contract/builder'
import { useEffect, useRef, useState } from 'react'
import { showNotice } from '../../../atoms/overlays/notice-store.ts'
import { wholeNumber } from '../../../core/format/numbers.ts'
import { runWords } from '../../../core/messages/en/runs.ts'
import type { runQuery } from '../../../core/runs/run-filter.ts'
import { runsCsv } from '../../../core/runs/runs-csv.ts'
import { asCallFailure } from '../../../infrastructure/client/call-failure.ts'
import { callOperation } from '../../../infrastructure/client/call-operation.ts'
import { downloadText } from '../../../infrastructure/client/download-text.ts'
import { useOrganizationId } from '../../../infrastructure/sign-in/organization-id.ts'

const PAGE_ROWS = 500
const MOST_ROWS = 100_000

/** Saves runs as a CSV file. */
export function saveRuns(runs: readonly ListedRun[]): void {
  const day = new Date().toISOString().slice(0, 10)
  downloadText(`runs-${day}.csv`, runsCsv(runs), 'text/csv;charset=utf-8')
}

/** Exports all results of a filter, page by page; `count` is the progress, null while idle. */
export function useExport(query: ReturnType<typeof runQuery>): {
  count: number | null
  start(): void
  stop(): void
} {
  const organizationId = useOrganizationId()
  const [count, setCount] = useState<number | null>(null)
  const running = useRef<AbortController | null>(null)
  const stop = () => {
    running.current?.abort()
    running.current = null
    setCount(null)
  }
  useEffect(() => () => running.current?.abort(), [])
  const start = async () => {
    const life = new AbortController()
    running.current = life
    const { signal } = life
    const runs: ListedRun[] = []
    let after: string | null = null
    setCount(0)
    try {
      do {
        const page: { data: ListedRun[]; next: string | null } = await callOperation(
          'listRuns',
          organizationId,
          { query: { ...query, limit: PAGE_ROWS, ...(after === null ? {} : { after }) } },
          { signal },
        )
        runs.push(...page.data)
        after = page.next
        setCount(runs.length)
      } while (after !== null && runs.length < MOST_ROWS)
      saveRuns(runs)
      if (after !== null) showNotice({ title: runWords.exportCut(wholeNumber(runs.length)) })
    } catch (error) {
      const { code, message } = asCallFailure(error)
      if (code !== 'aborted') showNotice({ tone: 'bad', title: runWords.exportFailed, detail: message })
    } finally {
      if (!signal.aborted) setCount(null)
    }
  }
  return { count, start: () => void start(), stop }
}
