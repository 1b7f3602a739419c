import { isBlank } from '@troupe/contract'
import type { HistoryRun } from '../ports/session-state.ts'

const MOST_NAMED = 20

/** The tools that a run without an answer had called; '' if none. */
function calledText({ called }: Pick<HistoryRun, 'called'>): string {
  if (!called || called.length === 0) return ''
  const names = called.slice(0, MOST_NAMED).join(', ')
  return `Tools that had been called before: ${names}. What they did is done.`
}

/** The end of a run without a complete answer, in brackets, so that the model does not mistake it for one. */
function note(words: string, run: HistoryRun): string {
  const called = calledText(run)
  return called === '' ? `(${words})` : `(${words}. ${called})`
}

/**
 * The assistant's text of an earlier run, as later runs read it. A stopped or failed run says so, and which tools it
 * had called.
 */
export function earlierAnswer(run: HistoryRun): string {
  const { status, interrupted } = run
  const content = run.content && !isBlank(run.content) ? run.content : null
  const after = (words: string) => (content === null ? note(words, run) : `${content} ${note(words, run)}`)
  if (interrupted) return after('interrupted by the user')
  if (status === 'completed') return content ?? (run.called?.length ? note('no text', run) : '(no text)')
  return after(status === 'failed' ? 'this run failed' : 'stopped by the user')
}

/** Provider state of an earlier answer; none if the text was changed. */
export function earlierState({ status, interrupted, content, state }: HistoryRun): HistoryRun['state'] {
  const isWhole = status === 'completed' && !interrupted && content !== null && !isBlank(content)
  return isWhole ? state : null
}
