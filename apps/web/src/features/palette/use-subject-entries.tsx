import type { JsonObject } from '@troupe/contract'
import { FileDown, Terminal } from 'lucide-react'
import type { MenuEntry } from '../../atoms/overlays/menu.tsx'
import { paletteWords } from '../../core/messages/en/palette.ts'
import { type PageSubject, pageSubject } from '../../core/url/page-subject.ts'
import { useEntryRefusal } from '../../infrastructure/queries/use-entry-refusal.ts'
import { useOperation } from '../../infrastructure/queries/use-operation.ts'
import { useShownQuery } from '../../infrastructure/queries/use-shown-query.ts'
import { usePathname } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'

/** The subject of the page, shown as a command or as a file. */
export interface OpenedSubject {
  kind: 'curl' | 'bundle'
  subject: PageSubject
  /** With the current parameters of the page. */
  query: JsonObject
}

/** *Show as curl* and *Export as bundle* of the page that is open. */
export function useSubjectEntries(onSubject: (opened: OpenedSubject) => void): MenuEntry[] {
  const { may } = usePlace()
  const refused = useEntryRefusal('manage')
  const shownQuery = useShownQuery()
  const here = pageSubject(usePathname())
  const subject = useNamedSubject(may('read') ? here : null)
  if (subject === null) return []
  const curl = {
    id: 'subject-curl',
    label: paletteWords.curl,
    icon: <Terminal size={16} />,
    onAction: () =>
      onSubject({ kind: 'curl', subject, query: shownQuery(subject.operation, subject.params) }),
  }
  if (subject.include === null) return [curl]
  const bundle = {
    id: 'subject-bundle',
    label: paletteWords.bundle,
    icon: <FileDown size={16} />,
    ...refused,
    onAction: () => onSubject({ kind: 'bundle', subject, query: {} }),
  }
  return [curl, bundle]
}

/** Bundles identify a skill by its slug, which is not in the URL. */
function useNamedSubject(subject: PageSubject | null): PageSubject | null {
  const skillId = subject?.operation === 'getSkill' ? (subject.params.skillId ?? null) : null
  const skill = useOperation(
    'getSkill',
    { params: { skillId: skillId ?? '' } },
    { isEnabled: skillId !== null },
  )
  if (subject === null || skillId === null || !skill.data) return subject
  return { ...subject, include: `skill:${skill.data.slug}` }
}
