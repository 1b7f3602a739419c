import type { Skill } from '@troupe/contract'
import { FileText } from 'lucide-react'
import { LinkButton } from '../../atoms/controls/text-link.tsx'
import { SideNavigation } from '../../atoms/layout/side-navigation.tsx'
import { AskedPanel } from '../../atoms/states/asked-panel.tsx'
import { Callout } from '../../atoms/states/panels.tsx'
import { skillWords } from '../../core/messages/en/resources/skills.ts'
import { withSearch } from '../../core/url/paths.ts'
import { optionalParam, wholeParam } from '../../core/url/search-params.ts'
import { useSearchParams } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { ShownSkillFile } from './skill-file.tsx'
import styles from './skills.module.css'
import { useSkillVersion } from './use-skill-version.ts'

const words = skillWords.files
const FIRST = 'SKILL.md'
const PARAMS = {
  file: optionalParam,
  /** 0: the newest. */
  version: wholeParam(0),
}

/** The files of a version of a skill, with one opened. */
export function SkillFilesTab({ skill }: { skill: Skill }) {
  const { paths } = usePlace()
  const [{ file, version: wanted }, setParams] = useSearchParams(PARAMS)
  const version = wanted === 0 ? skill.version : wanted
  const isNewest = version === skill.version
  const versions = useSkillVersion(skill, version, { isEnabled: !isNewest })
  const shown = isNewest ? skill : versions.found
  if (!shown) {
    return (
      <AskedPanel asked={versions} failed={skillWords.versions.failed}>
        {() => <Callout tone="warn">{words.failed}</Callout>}
      </AskedPanel>
    )
  }
  const path = file ?? FIRST
  const hrefOf = (next: string) =>
    withSearch(paths.skill(skill.skillId), {
      file: next === FIRST ? null : next,
      version: isNewest ? null : String(version),
    })
  return (
    <>
      {!isNewest && (
        <Callout tone="warn">
          {words.notNewest(version)}{' '}
          <LinkButton size="small" href={paths.skill(skill.skillId)}>
            {words.showNewest}
          </LinkButton>
        </Callout>
      )}
      <SideNavigation
        label={words.label}
        items={shown.files.map((one) => ({
          id: one.path,
          label: <FilePath path={one.path} />,
          icon: <FileText size={14} aria-hidden="true" />,
          href: hrefOf(one.path),
          isCurrent: one.path === path,
        }))}
      >
        <ShownSkillFile
          // A colleague's save updates the open file; it is not another file.
          key={`${isNewest ? 'newest' : version} ${path}`}
          skill={skill}
          version={{ version, files: shown.files }}
          path={path}
          onSaved={() => setParams({ version: 0 })}
        />
      </SideNavigation>
    </>
  )
}

/** A path with muted folders; it wraps after each of them. */
function FilePath({ path }: { path: string }) {
  const parts = path.split('/')
  const name = parts.pop()
  return (
    <span>
      {parts.map((folder, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the index identifies the folder
        <span key={index} className={styles.folder}>
          {folder}/<wbr />
        </span>
      ))}
      {name}
    </span>
  )
}
