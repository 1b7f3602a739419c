import type { IdText, Skill, SkillId } from '@troupe/contract'
import { useCallback, useEffect, useState } from 'react'
import { TextDiff } from '../../atoms/diff/text-diff.tsx'
import { AskedPanel } from '../../atoms/states/asked-panel.tsx'
import { Callout } from '../../atoms/states/panels.tsx'
import { skillWords } from '../../core/messages/en/resources/skills.ts'
import { useOperation } from '../../infrastructure/queries/use-operation.ts'
import styles from './skills.module.css'
import { useSkillVersion } from './use-skill-version.ts'

const words = skillWords.versions

interface Compared {
  skill: Pick<Skill, 'skillId' | 'version'>
  before: number
  after: number
}

/** The differences between two versions of a skill, file by file. */
export function SkillDiff({ skill, before, after }: Compared) {
  const former = useSkillVersion(skill, before)
  const later = useSkillVersion(skill, after)
  return (
    <AskedPanel asked={former} failed={words.failed}>
      {() => (
        <AskedPanel asked={later} failed={words.failed}>
          {() =>
            former.found && later.found ? (
              <Differences skillId={skill.skillId} former={former.found} later={later.found} />
            ) : (
              <Callout tone="warn">{words.failed}</Callout>
            )
          }
        </AskedPanel>
      )}
    </AskedPanel>
  )
}

type Versioned = Pick<Skill, 'version' | 'files'>

function Differences({
  skillId,
  former,
  later,
}: {
  skillId: IdText<SkillId>
  former: Versioned
  later: Versioned
}) {
  const paths = [
    ...new Set([...later.files, ...former.files].filter(({ isText }) => isText).map(({ path }) => path)),
  ]
  const fileOf = ({ files }: Versioned, path: string) => files.find((file) => file.path === path)
  const [equal, setEqual] = useState<readonly string[]>([])
  const noteEqual = useCallback((path: string) => setEqual((known) => [...known, path]), [])
  return (
    <div className={styles.diffs}>
      {paths.every((path) => equal.includes(path)) && <Callout>{words.same}</Callout>}
      {paths.map((path) => (
        <FileDiff
          key={path}
          skillId={skillId}
          onEqual={noteEqual}
          path={path}
          before={fileOf(former, path) ? former.version : null}
          after={fileOf(later, path) ? later.version : null}
        />
      ))}
    </div>
  )
}

interface FileDiffProps {
  skillId: IdText<SkillId>
  path: string
  /** null: the version does not have the file. */
  before: number | null
  after: number | null
  onEqual(path: string): void
}

function FileDiff({ skillId, path, before, after, onEqual }: FileDiffProps) {
  const params = { skillId }
  const ofVersion = (version: number | null) => ({ params, query: { path, version: version ?? 1 } })
  const former = useOperation('getSkillFile', ofVersion(before), { isEnabled: before !== null })
  const later = useOperation('getSkillFile', ofVersion(after), { isEnabled: after !== null })
  const failure = former.failure ?? later.failure
  const texts = [textOf(former.data, before), textOf(later.data, after)] as const
  const isEqual = texts[0] !== null && texts[0] === texts[1]
  useEffect(() => {
    if (isEqual) onEqual(path)
  }, [isEqual, path, onEqual])
  if (failure) return <Callout tone="bad">{failure.message}</Callout>
  if (texts[0] === null || texts[1] === null || isEqual) return null
  const label = before === null ? words.addedFile(path) : after === null ? words.removedFile(path) : path
  return (
    <div>
      <h3>{label}</h3>
      <TextDiff label={label} before={texts[0]} after={texts[1]} isMono around={3} />
    </div>
  )
}

/** null: not loaded yet. */
function textOf(file: { text: string | null } | undefined, version: number | null): string | null {
  if (version === null) return ''
  return file ? (file.text ?? '') : null
}
