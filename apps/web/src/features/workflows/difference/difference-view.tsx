import type { IdText, WorkflowId } from '@troupe/contract'
import type { Graph } from '@troupe/graph'
import { ListTree, Workflow } from 'lucide-react'
import { type ReactNode, Suspense } from 'react'
import { Segments } from '../../../atoms/controls/choices.tsx'
import { Toolbar } from '../../../atoms/layout/page.tsx'
import { lazyPart } from '../../../atoms/parts/lazy-part.ts'
import { Callout, Skeleton } from '../../../atoms/states/panels.tsx'
import { differenceWords as words } from '../../../core/messages/en/workflows/publish.ts'
import { choiceParam } from '../../../core/url/search-params.ts'
import { fieldTitle } from '../../../core/workflows/changed-setting.ts'
import { findingSentence } from '../../../core/workflows/findings.ts'
import { useSearchParams } from '../../../infrastructure/routing/place.ts'
import styles from './difference.module.css'
import { ChangeWord, NodeChange, type ShownDifference } from './node-change.tsx'

const DifferenceMap = lazyPart(async () => (await import('./difference-map.tsx')).DifferenceMap)

const LOOKS = ['list', 'canvas'] as const
const PARAMS = { changes: choiceParam(LOOKS, 'list') }
const ICONS = { list: <ListTree size={14} />, canvas: <Workflow size={14} /> }

export interface DifferenceViewProps {
  workflowId: IdText<WorkflowId>
  difference: ShownDifference
  before: Graph
  after: Graph
}

/** The differences of two graphs, as a list or on the canvas. */
export function DifferenceView({ workflowId, difference, before, after }: DifferenceViewProps) {
  const [{ changes: look }, setParams] = useSearchParams(PARAMS)
  if (isNothing(difference)) return <p>{words.nothing}</p>
  return (
    <div className={styles.view}>
      <Toolbar label={words.look}>
        <Segments
          label={words.look}
          value={look}
          onChange={(next) => setParams({ changes: next })}
          options={LOOKS.map((id) => ({ id, label: words.looks[id], icon: ICONS[id] }))}
        />
      </Toolbar>
      {look === 'list' ? (
        <DifferenceList difference={difference} before={before} after={after} />
      ) : (
        <Suspense fallback={<Skeleton lines={8} />}>
          <DifferenceMap
            {...{ workflowId, before, after, difference }}
            onList={() => setParams({ changes: 'list' })}
          />
        </Suspense>
      )}
    </div>
  )
}

function isNothing({ nodes, edges, moved, expose, tokens, output, form }: ShownDifference): boolean {
  const lists = [nodes, edges, moved, tokens.gained, tokens.lost, tokens.broken]
  return lists.every(({ length }) => length === 0) && expose === null && output === null && form === null
}

/** The added, removed and changed steps, by setting, and the consequences for tokens, outputs and the form. */
function DifferenceList({ difference, before, after }: Omit<DifferenceViewProps, 'workflowId'>) {
  const { nodes, edges, moved, expose, tokens, output, form } = difference
  const all = new Map([...before.nodes, ...after.nodes].map((node) => [node.id, node]))
  const names = new Map([...all].map(([id, { name }]) => [id, name]))
  const nameOf = (id: string) => names.get(id) ?? id
  const readBy = ({ nodeId, path }: { nodeId: string; path: string }) =>
    fieldTitle(all.get(nodeId)?.type ?? '', path) ?? path.replace(/^config\./, '')
  const hasTokens = tokens.gained.length + tokens.lost.length + tokens.broken.length > 0
  return (
    <ul className={styles.list} aria-label={words.label}>
      {tokens.broken.length > 0 && (
        <Group title={words.broken(tokens.broken.length)} tone="bad">
          {tokens.broken.map((one) => (
            <li key={`${one.nodeId} ${one.path} ${one.token} ${one.message}`}>
              <b>{one.name}</b> ({readBy(one)}): <code translate="no">{one.token}</code>:{' '}
              {findingSentence({ path: '', nodeId: null, message: one.message }, {}, {}, names)}
            </li>
          ))}
        </Group>
      )}
      {nodes.map((node) => (
        <NodeChange key={node.nodeId} node={node} />
      ))}
      {edges.length > 0 && (
        <Group title={words.edges}>
          {edges.map(({ change, source, sourceHandle, target }) => (
            <li key={`${change} ${source} ${sourceHandle} ${target}`} className={styles.edge}>
              <ChangeWord change={change} />
              {words.edge(nameOf(source), sourceHandle, nameOf(target))}
            </li>
          ))}
        </Group>
      )}
      {hasTokens && (
        <Group title={words.tokens}>
          {(['gained', 'lost'] as const).flatMap((kind) =>
            tokens[kind].map((one) => (
              <li key={`${kind} ${one.nodeId} ${one.path} ${one.token}`} className={styles.edge}>
                <ChangeWord change={kind === 'gained' ? 'added' : 'removed'} />
                <span>
                  {words.reads[kind](one.name)} <code translate="no">{one.token}</code> ({readBy(one)})
                </span>
              </li>
            )),
          )}
          {tokens.more > 0 && <li className={styles.muted}>{words.moreTokens(tokens.more)}</li>}
        </Group>
      )}
      {output && (
        <Group title={words.output}>
          <li>
            {words.outputBefore} {outputWords(output.before)}
          </li>
          <li>
            {words.outputAfter} {outputWords(output.after)}
          </li>
        </Group>
      )}
      {form && <FormChanges form={form} />}
      {expose && (
        <li className={styles.node}>
          <span className={styles.head}>
            <ChangeWord change="changed" />
            <b>{words.expose(expose.after !== null)}</b>
          </span>
        </li>
      )}
      {moved.length > 0 && <li className={styles.muted}>{words.moved(moved.length)}</li>}
    </ul>
  )
}

interface GroupProps {
  title: string
  tone?: 'bad'
  children: ReactNode
}

function Group({ title, tone, children }: GroupProps) {
  const content = (
    <>
      <span className={styles.head}>
        <b>{title}</b>
      </span>
      <ul className={styles.lines}>{children}</ul>
    </>
  )
  return <li className={styles.node}>{tone ? <Callout tone={tone}>{content}</Callout> : content}</li>
}

/** “Answer” with text, category. */
function outputWords(ends: NonNullable<ShownDifference['output']>['before']): string {
  if (ends.length === 0) return words.noOutput
  return ends
    .map(({ name, fields }) => words.outputOf(name, fields.map(({ path }) => path).join(', ')))
    .join('; ')
}

function FormChanges({ form }: { form: NonNullable<ShownDifference['form']> }) {
  const { fields, access } = form
  const accessWords = (side: typeof access.before) =>
    side === null ? words.noForm : words.access[side.mode](side.username ?? '')
  const isSame = JSON.stringify(access.before) === JSON.stringify(access.after)
  return (
    <Group title={words.form}>
      {!isSame && <li>{words.accessChange(accessWords(access.before), accessWords(access.after))}</li>}
      {fields.map(({ field, label, change }) => (
        <li key={`${change} ${field}`}>{words.formField[change](label)}</li>
      ))}
    </Group>
  )
}
