import type { PublishPreview } from '@troupe/contract/builder'
import { NODE_TYPES } from '@troupe/nodes/definitions'
import { ArrowRight, Minus, Pencil, Plus } from 'lucide-react'
import { TextDiff } from '../../../atoms/diff/text-diff.tsx'
import { differenceWords as words } from '../../../core/messages/en/workflows/publish.ts'
import { stepPlace, titleOf } from '../../../core/workflows/findings.ts'
import { valueWords } from '../../../core/workflows/value-words.ts'
import styles from './difference.module.css'

/** What makes one graph another one. */
export type ShownDifference = NonNullable<PublishPreview['difference']>

const ICONS = { added: Plus, removed: Minus, changed: Pencil }
/** Longer texts, and those of several lines, are compared line by line. */
const SHORT = 60

export interface DifferenceViewProps {
  difference: ShownDifference
  /** Names of nodes by their ids, of both graphs. */
  names: ReadonlyMap<string, string>
}

/** The steps that were added, removed and changed, by setting. */
export function DifferenceView({ difference, names }: DifferenceViewProps) {
  const { nodes, edges, moved, expose } = difference
  if (nodes.length === 0 && edges.length === 0 && moved.length === 0 && expose === null) {
    return <p>{words.nothing}</p>
  }
  const nameOf = (id: string) => names.get(id) ?? id
  return (
    <ul className={styles.list} aria-label={words.label}>
      {nodes.map((node) => (
        <NodeChange key={node.nodeId} node={node} />
      ))}
      {edges.length > 0 && (
        <li className={styles.node}>
          <span className={styles.head}>{words.edges}</span>
          <ul>
            {edges.map(({ change, source, sourceHandle, target }) => (
              <li key={`${change} ${source} ${sourceHandle} ${target}`} className={styles.edge}>
                <ChangeWord change={change} />
                {words.edge(nameOf(source), sourceHandle, nameOf(target))}
              </li>
            ))}
          </ul>
        </li>
      )}
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

function NodeChange({ node }: { node: ShownDifference['nodes'][number] }) {
  const { change, name, type, fields } = node
  const schema = NODE_TYPES.get(type)?.schema ?? {}
  return (
    <li className={styles.node}>
      <span className={styles.head}>
        <ChangeWord change={change} />
        <b>{name}</b>
        <span className={styles.muted}>{NODE_TYPES.get(type)?.title ?? type}</span>
      </span>
      {fields.length > 0 && (
        <ul className={styles.fields}>
          {fields.map(({ path, before, after }) => {
            const place = stepPlace(schema, path)
            const title = titleOf(place)
            return (
              <li key={path} className={styles.field}>
                {title === null ? (
                  <code translate="no" className={styles.setting}>
                    {path.replace(/^config\./, '')}
                  </code>
                ) : (
                  <span className={styles.setting}>{title}</span>
                )}
                <ValueChange
                  label={`${name} ${title ?? path}`}
                  schema={place?.schema ?? {}}
                  before={before}
                  after={after}
                />
              </li>
            )
          })}
        </ul>
      )}
    </li>
  )
}

function ChangeWord({ change }: { change: keyof typeof ICONS }) {
  const Icon = ICONS[change]
  return (
    <span className={styles.change} data-change={change}>
      <Icon size={13} aria-hidden="true" />
      {words.change[change]}
    </span>
  )
}

interface ValueChangeProps {
  label: string
  /** Of the setting. */
  schema: object
  before: unknown
  after: unknown
}

function ValueChange({ label, schema, before, after }: ValueChangeProps) {
  const [old, now] = [valueWords(schema, before), valueWords(schema, after)]
  const isShort = [old, now].every((text) => text.length <= SHORT && !text.includes('\n'))
  if (!isShort) return <TextDiff label={label} before={old} after={now} around={2} />
  return (
    <span className={styles.values}>
      <del>
        <span className="visually-hidden">{words.before} </span>
        {before === null ? words.absent : old}
      </del>
      <ArrowRight size={13} aria-hidden="true" />
      <ins>
        <span className="visually-hidden">{words.after} </span>
        {after === null ? words.absent : now}
      </ins>
    </span>
  )
}
