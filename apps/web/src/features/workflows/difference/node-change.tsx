import type { PublishPreview } from '@troupe/contract/builder'
import { NODE_TYPES } from '@troupe/nodes/definitions'
import { ArrowRight, Minus, Pencil, Plus } from 'lucide-react'
import { TextDiff } from '../../../atoms/diff/text-diff.tsx'
import { WordDiff } from '../../../atoms/diff/word-diff.tsx'
import { differenceWords as words } from '../../../core/messages/en/workflows/publish.ts'
import { fieldTitle, typeTitle, typeWithSetting } from '../../../core/workflows/changed-setting.ts'
import { stepPlace } from '../../../core/workflows/findings.ts'
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
  const former = fields.find(({ path }) => path === 'type')?.before
  const types = typeof former === 'string' ? [type, former] : [type]
  return (
    <li className={styles.node}>
      <span className={styles.head}>
        <ChangeWord change={change} />
        <b>{name}</b>
        <span className={styles.muted}>{typeTitle(type)}</span>
      </span>
      {fields.length > 0 && (
        <ul className={styles.fields}>
          {fields.map(({ path, before, after }) => {
            const owner = typeWithSetting(types, path)
            const title = fieldTitle(owner, path)
            const schema = NODE_TYPES.get(owner)?.schema ?? {}
            const shown = (value: unknown) =>
              path === 'type' && typeof value === 'string' ? typeTitle(value) : value
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
                  before={shown(before)}
                  after={shown(after)}
                />
              </li>
            )
          })}
        </ul>
      )}
    </li>
  )
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
