import { TextDiff } from '../../atoms/diff/text-diff.tsx'
import { AskedPanel } from '../../atoms/states/asked-panel.tsx'
import { Callout } from '../../atoms/states/panels.tsx'
import { skillWords } from '../../core/messages/en/resources/skills.ts'
import { useOperation } from '../../infrastructure/queries/use-operation.ts'
import styles from './skills.module.css'

const words = skillWords.versions

interface Compared {
  skillId: string
  before: number
  after: number
}

/** What differs between two versions of a skill, file by file. */
export function SkillDiff({ skillId, before, after }: Compared) {
  const versions = useOperation('listSkillVersions', { params: { skillId }, query: { limit: 100 } })
  return (
    <AskedPanel asked={versions} failed={words.failed}>
      {({ data }) => {
        const filesOf = (number: number) =>
          data.find(({ version }) => version === number)?.files.filter(({ isText }) => isText) ?? []
        const [former, later] = [filesOf(before), filesOf(after)]
        const paths = [...new Set([...later, ...former].map(({ path }) => path))]
        return (
          <div className={styles.diffs}>
            {paths.map((path) => (
              <FileDiff
                key={path}
                skillId={skillId}
                path={path}
                before={former.some((file) => file.path === path) ? before : null}
                after={later.some((file) => file.path === path) ? after : null}
              />
            ))}
          </div>
        )
      }}
    </AskedPanel>
  )
}

interface FileDiffProps {
  skillId: string
  path: string
  /** null: the version does not have the file. */
  before: number | null
  after: number | null
}

function FileDiff({ skillId, path, before, after }: FileDiffProps) {
  const params = { skillId }
  const ofVersion = (version: number | null) => ({ params, query: { path, version: version ?? 1 } })
  const former = useOperation('getSkillFile', ofVersion(before), { isEnabled: before !== null })
  const later = useOperation('getSkillFile', ofVersion(after), { isEnabled: after !== null })
  const failure = former.failure ?? later.failure
  if (failure) return <Callout tone="bad">{failure.message}</Callout>
  const texts = [textOf(former.data, before), textOf(later.data, after)] as const
  if (texts[0] === null || texts[1] === null || texts[0] === texts[1]) return null
  const label = before === null ? words.addedFile(path) : after === null ? words.removedFile(path) : path
  return (
    <div>
      <h3>{label}</h3>
      <TextDiff label={label} before={texts[0]} after={texts[1]} isMono around={3} />
    </div>
  )
}

/** null: it has not arrived. */
function textOf(file: { text: string | null } | undefined, version: number | null): string | null {
  if (version === null) return ''
  return file ? (file.text ?? '') : null
}
