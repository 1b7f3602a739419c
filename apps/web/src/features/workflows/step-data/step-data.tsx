import { CodeBlock } from '../../../atoms/code/code-field.tsx'
import { Select } from '../../../atoms/controls/select.tsx'
import { AskedPanel } from '../../../atoms/states/asked-panel.tsx'
import { FailurePanel } from '../../../atoms/states/failure-panel.tsx'
import { Callout, ErrorPanel } from '../../../atoms/states/panels.tsx'
import { serverNow } from '../../../core/format/server-clock.ts'
import { relativeTime } from '../../../core/format/times.ts'
import { runWords } from '../../../core/messages/en/runs.ts'
import { stepDataWords as words } from '../../../core/messages/en/workflows/step-data.ts'
import { useRunNode } from '../../../parts/run-node/use-run-node.ts'
import { DataPicker } from './data-picker.tsx'
import styles from './step-data.module.css'
import type { ChosenSample } from './use-run-sample.ts'

const NO_RUN = 'none'

/** What a step can read, with the values of the chosen run. */
export function StepInput({ chosen }: { chosen: ChosenSample }) {
  const { runs, runId, choose, run, isLoading, failure } = chosen
  return (
    <section className={styles.part} aria-label={words.parts.input}>
      <Select
        label={words.source}
        value={runId ?? NO_RUN}
        onChange={(id) => choose(id === NO_RUN ? null : id)}
        options={[
          { id: NO_RUN, label: words.noSource },
          ...runs.map(({ runId: id, createdAt, status, isTest }) => ({
            id,
            label: words.aRun(relativeTime(createdAt, serverNow()), runWords.statuses[status], isTest),
          })),
        ]}
      />
      {runs.length === 0 && !isLoading && <p className={styles.quiet}>{words.noRuns}</p>}
      {run?.workflowRun?.traceErased && <Callout>{words.erased}</Callout>}
      <FailurePanel title={words.failed} failure={failure} />
      <p role="status" className={styles.quiet}>
        {isLoading ? words.loading : ''}
      </p>
      <DataPicker />
    </section>
  )
}

/** What a step gave in the chosen run. */
export function StepOutput({ chosen: { runId, own } }: { chosen: ChosenSample }) {
  const isThere = runId !== null && own !== null
  const values = useRunNode(runId ?? '', { nodeId: isThere ? own.nodeId : null, path: own?.path ?? '' })
  return (
    <section className={styles.part} aria-label={words.parts.output}>
      <h3>{words.output}</h3>
      {!isThere ? (
        <p className={styles.quiet}>{words.noOutput}</p>
      ) : (
        <>
          {own.error !== null && <ErrorPanel title={runWords.error} message={own.error} />}
          <AskedPanel asked={values} failed={runWords.runFailed}>
            {({ output }) =>
              own.status === 'completed' ? (
                <CodeBlock label={words.output} text={JSON.stringify(output ?? null, null, 2)} />
              ) : (
                <p className={styles.quiet}>{words.noOutput}</p>
              )
            }
          </AskedPanel>
        </>
      )}
    </section>
  )
}
