import { FileDown, Terminal } from 'lucide-react'
import type { MenuEntry } from '../../atoms/overlays/menu.tsx'
import { paletteWords } from '../../core/messages/en/palette.ts'
import { type PageSubject, pageSubject } from '../../core/url/page-subject.ts'
import { useEntryRefusal } from '../../infrastructure/queries/use-entry-refusal.ts'
import { usePathname } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'

/** What the page is about, to be shown as a command or as a file. */
export interface OpenedSubject {
  kind: 'curl' | 'bundle'
  subject: PageSubject
}

/** *Show as curl* and *Export as bundle* of the page that is open. */
export function useSubjectEntries(onSubject: (opened: OpenedSubject) => void): MenuEntry[] {
  const { may } = usePlace()
  const refused = useEntryRefusal('manage')
  const subject = pageSubject(usePathname())
  if (subject === null || !may('read')) return []
  const curl = {
    id: 'subject-curl',
    label: paletteWords.curl,
    icon: <Terminal size={16} />,
    onAction: () => onSubject({ kind: 'curl', subject }),
  }
  if (subject.include === null) return [curl]
  const bundle = {
    id: 'subject-bundle',
    label: paletteWords.bundle,
    icon: <FileDown size={16} />,
    ...refused,
    onAction: () => onSubject({ kind: 'bundle', subject }),
  }
  return [curl, bundle]
}
