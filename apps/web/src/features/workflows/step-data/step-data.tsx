import { memo } from 'react'
import { CodeBlock } from '../../../atoms/code/code-field.tsx'
import { Button } from '../../../atoms/controls/button.tsx'
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
import { type ChosenSample, OF_DRAFT } from './use-run-sample.ts'

const NO_RUN = 'none'

/** The available inputs of a step, with the values of the selected run. */
export const StepInput = memo(function StepInput({ chosen }: { chosen: ChosenSample }) {
  const { runs, run, hasDraftValues, isLoading, failure } = chosen
  return (
    <section className={styles.part} aria-label={words.parts.input}>
      <SourceOfValues chosen={chosen} />
      {runs.length === 0 && !hasDraftValues && !isLoading && <p className={styles.quiet}>{words.noRuns}</p>}
      {run?.workflowRun?.traceErased && <Callout>{words.erased}</Callout>}
      <FailurePanel title={words.failed} failure={failure} />
      <p role="status" className={styles.quiet}>
        {isLoading ? words.loading : ''}
      </p>
      <DataPicker />
    </section>
  )
})

/** Selects the run. */
function SourceOfValues({ chosen: { runs, hasDraftValues, runId, choose } }: { chosen: ChosenSample }) {
  return (
    <Select
      label={words.source}
      value={runId ?? NO_RUN}
      onChange={(id) => choose(id === NO_RUN ? null : id)}
      options={[
        { id: NO_RUN, label: words.noSource },
        ...(hasDraftValues ? [{ id: OF_DRAFT, label: words.ofDraft }] : []),
        ...runs.map(({ runId: id, createdAt, status, isTest }) => ({
          id,
          label: words.aRun(relativeTime(createdAt, serverNow()), runWords.statuses[status], isTest),
        })),
      ]}
    />
  )
}

interface StepOutputProps {
  chosen: ChosenSample
  /** For a trigger: uses its output as its sample; null: none. */
  onSample: ((sample: unknown) => void) | null
}

/** A step's output in the selected run. */
export const StepOutput = memo(function StepOutput({ chosen, onSample }: StepOutputProps) {
  const { runId, own } = chosen
  const isThere = runId !== null && runId !== OF_DRAFT && own !== null
  const values = useRunNode(runId ?? '', { nodeId: isThere ? own.nodeId : null, path: own?.path ?? '' })
  return (
    <section className={styles.part} aria-label={words.parts.output}>
      {onSample !== null && <SourceOfValues chosen={chosen} />}
      <h3>{words.output}</h3>
      {!isThere ? (
        <p className={styles.quiet}>{words.noOutput}</p>
      ) : (
        <>
          {own.error !== null && <ErrorPanel title={runWords.error} message={own.error} />}
          <AskedPanel asked={values} failed={runWords.runFailed}>
            {({ output }) =>
              own.status === 'completed' ? (
                <>
                  <CodeBlock label={words.output} text={JSON.stringify(output ?? null, null, 2)} />
                  {onSample !== null && (
                    <div>
                      <Button size="small" onPress={() => onSample(output)}>
                        {words.useAsSample}
                      </Button>
                    </div>
                  )}
                </>
              ) : (
                <p className={styles.quiet}>{words.noOutput}</p>
              )
            }
          </AskedPanel>
        </>
      )}
    </section>
  )
})
