import type { PublishPreview } from '@troupe/contract/builder'
import { NODE_TYPES } from '@troupe/nodes/definitions'
import { ArrowRight, Minus, Pencil, Plus } from 'lucide-react'
import { TextDiff } from '../../../atoms/diff/text-diff.tsx'
import { WordDiff } from '../../../atoms/diff/word-diff.tsx'
import { differenceWords as words } from '../../../core/messages/en/workflows/publish.ts'
import { stepPlace, titleOf } from '../../../core/workflows/findings.ts'
import { valueWords } from '../../../core/workflows/value-words.ts'
import styles from './difference.module.css'

/** The difference of two graphs. */
export type ShownDifference = NonNullable<PublishPreview['difference']>

const ICONS = { added: Plus, removed: Minus, changed: Pencil }
/** Maximum characters of a single-line comparison; longer and multi-line texts are compared by words. */
const SHORT = 60
/** Maximum characters of a comparison by words; longer texts are compared by lines. */
const LONGEST_BY_WORDS = 4_000

/** A step that was added, removed or changed, by setting. */
export function NodeChange({ node }: { node: ShownDifference['nodes'][number] }) {
  const { change, name, type, fields } = node
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
            const title = fieldTitle(type, path)
            const schema = NODE_TYPES.get(type)?.schema ?? {}
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
                  schema={stepPlace(schema, path)?.schema ?? {}}
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

/** The form's label of a path below a node; null if its type has none. */
export function fieldTitle(type: string, path: string): string | null {
  return titleOf(stepPlace(NODE_TYPES.get(type)?.schema ?? {}, path))
}

export function ChangeWord({ change }: { change: keyof typeof ICONS }) {
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
  /** The schema of the setting. */
  schema: object
  before: unknown
  after: unknown
}

function ValueChange({ label, schema, before, after }: ValueChangeProps) {
  const [old, now] = [valueWords(schema, before), valueWords(schema, after)]
  const isShort = [old, now].every((text) => text.length <= SHORT && !text.includes('\n'))
  const isText = typeof before === 'string' && typeof after === 'string'
  if (!isShort && isText && Math.max(old.length, now.length) <= LONGEST_BY_WORDS) {
    return (
      <section aria-label={label}>
        <WordDiff before={old} after={now} words={words.parts} />
      </section>
    )
  }
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
