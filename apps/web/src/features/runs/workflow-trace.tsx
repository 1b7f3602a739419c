import type { TracedNode, WorkflowRunDetail } from '@troupe/builder-contract'
import { CodeBlock } from '../../atoms/code/code-field.tsx'
import { Section } from '../../atoms/layout/page.tsx'
import { SideSheet } from '../../atoms/overlays/dialog.tsx'
import { AskedPanel } from '../../atoms/states/asked-panel.tsx'
import { Status } from '../../atoms/states/badge.tsx'
import { Callout, ErrorPanel } from '../../atoms/states/panels.tsx'
import type { Column } from '../../atoms/table/columns.ts'
import { DataTable } from '../../atoms/table/data-table.tsx'
import { wholeNumber } from '../../core/format/numbers.ts'
import { duration } from '../../core/format/times.ts'
import { runWords } from '../../core/messages/en/runs.ts'
import { isEnded, stateOfRun } from '../../core/runs/run-state.ts'
import { withSearch } from '../../core/url/paths.ts'
import { optionalParam, textParam } from '../../core/url/search-params.ts'
import { useOperation } from '../../infrastructure/queries/use-operation.ts'
import { useSearchParams } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/session/session.ts'

const PARAMS = { node: optionalParam, path: textParam }
const took = ({ startedMs, completedMs }: TracedNode) =>
  startedMs === null || completedMs === null ? '–' : duration(completedMs - startedMs)

const COLUMNS: readonly Column<TracedNode>[] = [
  {
    id: 'node',
    title: runWords.node,
    cell: ({ name, path }) => (path === '' ? name : `${name} · ${path}`),
  },
  { id: 'type', title: runWords.type, from: 'wide', cell: ({ type }) => type.replaceAll('-', ' ') },
  {
    id: 'status',
    title: runWords.status,
    width: '128px',
    cell: ({ status }) => <Status state={stateOfRun(status)} />,
  },
  { id: 'error', title: runWords.error, from: 'widest', cell: ({ error }) => error ?? '' },
  {
    id: 'attempts',
    title: runWords.attempts,
    align: 'end',
    width: '88px',
    from: 'wide',
    cell: ({ attempts }) => wholeNumber(attempts),
  },
  { id: 'took', title: runWords.duration, align: 'end', width: '96px', cell: took },
]

/** The nodes of a workflow run in their order; a row opens what a node was given and what it returned. */
export function WorkflowTrace({ runId, run }: { runId: string; run: WorkflowRunDetail }) {
  const { paths } = usePlace()
  const [{ node, path }, setParams] = useSearchParams(PARAMS)
  const opened = run.nodes.find((one) => one.nodeId === node && one.path === path) ?? null
  return (
    <>
      {run.traceErased && <Callout>{runWords.erased}</Callout>}
      <p>{runWords.nodesDetail(wholeNumber(run.nodes.length), wholeNumber(run.nodeCount))}</p>
      <DataTable
        label={runWords.nodes}
        rows={run.nodes}
        total={run.nodeCount}
        columns={COLUMNS}
        idOf={({ nodeId, path: place }) => `${place}/${nodeId}`}
        nameOf={({ name, path: place }) => `${name} ${place}`}
        hrefOf={(one) => withSearch(paths.run(runId, one.nodeId), { path: one.path })}
      />
      <SideSheet
        isOpen={opened !== null}
        onClose={() => setParams({ node: null, path: '' })}
        title={opened?.name ?? ''}
      >
        {opened && <NodeValues runId={runId} node={opened} />}
      </SideSheet>
    </>
  )
}

function NodeValues({ runId, node }: { runId: string; node: TracedNode }) {
  const { nodeId, path, error, status } = node
  const values = useOperation('getRunNode', {
    params: { runId, nodeId },
    query: path === '' ? {} : { path },
  })
  return (
    <>
      <Status state={stateOfRun(status)} look="badge" />
      {error !== null && isEnded(status) && <ErrorPanel title={runWords.error} message={error} />}
      <AskedPanel asked={values} failed={runWords.runFailed}>
        {({ input, output }) => (
          <>
            <Section title={runWords.input}>
              <CodeBlock label={runWords.input} text={asText(input)} />
            </Section>
            <Section title={runWords.output}>
              <CodeBlock label={runWords.output} text={asText(output)} />
            </Section>
          </>
        )}
      </AskedPanel>
    </>
  )
}

const asText = (value: unknown) => JSON.stringify(value ?? null, null, 2)
