import {
  AudioLines,
  BookOpen,
  Bot,
  Folder,
  Gauge,
  GraduationCap,
  Hash,
  Keyboard,
  KeyRound,
  Moon,
  Network,
  PhoneOff,
  Plug,
  Settings,
  UserRoundPlus,
  UsersRound,
  Workflow,
} from 'lucide-react'
import type { MenuEntry, MenuGroup } from '../../atoms/overlays/menu.tsx'
import { paletteWords } from '../../core/messages/en/palette.ts'
import { settingsTitles } from '../../core/messages/en/settings/titles.ts'
import { shellWords } from '../../core/messages/en/shell.ts'
import { SETTINGS_PAGES, withSearch } from '../../core/url/paths.ts'
import { THEMES, themeSetting } from '../../infrastructure/preferences/preferences.ts'
import { useEntryRefusal } from '../../infrastructure/queries/use-entry-refusal.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { usePlaceEntries } from './use-place-entries.tsx'

/**
 * The palette's entries before a search on the server.
 *
 * @param ofPage actions of the open page
 */
export function usePaletteGroups(onKeys: () => void, ofPage: readonly MenuEntry[]): readonly MenuGroup[] {
  const { paths, may, session } = usePlace()
  const places = usePlaceEntries()
  const refused = { build: useEntryRefusal('build'), manage: useEntryRefusal('manage') }
  const { create } = paletteWords
  const creating: (MenuEntry & { needs: 'build' | 'manage' })[] = [
    entry(
      'create-agent',
      create.agent,
      <Bot size={16} />,
      withSearch(paths.agents, { create: '1' }),
      'build',
    ),
    entry(
      'create-team',
      create.team,
      <UsersRound size={16} />,
      withSearch(paths.teams, { create: '1' }),
      'build',
    ),
    entry(
      'create-knowledge',
      create.knowledge,
      <BookOpen size={16} />,
      withSearch(paths.knowledge, { create: '1' }),
      'build',
    ),
    entry(
      'create-skill',
      create.skill,
      <GraduationCap size={16} />,
      withSearch(paths.skills, { create: '1' }),
      'build',
    ),
    entry(
      'create-workflow',
      create.workflow,
      <Workflow size={16} />,
      withSearch(paths.workflows, { create: '1' }),
      'build',
    ),
    entry('create-server', create.server, <Plug size={16} />, paths.tools({ create: true }), 'manage'),
    entry(
      'create-credential',
      create.credential,
      <KeyRound size={16} />,
      paths.tools({ tab: 'credentials', create: true }),
      'manage',
    ),
    entry(
      'create-key',
      create.key,
      <KeyRound size={16} />,
      withSearch(paths.settings('keys'), { create: '1' }),
      'manage',
    ),
    entry(
      'create-project',
      create.project,
      <Folder size={16} />,
      withSearch(paths.settings('projects'), { create: '1' }),
      'manage',
    ),
    entry(
      'create-budget',
      create.budget,
      <Gauge size={16} />,
      withSearch(paths.settings('budgets'), { create: '1' }),
      'manage',
    ),
    entry('create-model', create.model, <Plug size={16} />, paths.newModel(), 'manage'),
    ...(session.server.voice
      ? [
          entry(
            'create-voice',
            create.voice,
            <AudioLines size={16} />,
            paths.voice({ create: true }),
            'manage',
          ),
          entry('create-trunk', create.trunk, <Network size={16} />, paths.phone({ create: true }), 'manage'),
          entry(
            'create-number',
            create.phoneNumber,
            <Hash size={16} />,
            paths.phone({ tab: 'numbers', create: true }),
            'manage',
          ),
          entry(
            'create-do-not-call',
            create.doNotCall,
            <PhoneOff size={16} />,
            paths.phone({ tab: 'do-not-call', create: true }),
            'manage',
          ),
        ]
      : []),
    entry(
      'invite',
      create.member,
      <UserRoundPlus size={16} />,
      withSearch(paths.settings('members'), { create: '1' }),
      'manage',
    ),
  ]
  const settings: MenuEntry[] = may('read')
    ? SETTINGS_PAGES.map((page) => ({
        id: `settings-${page}`,
        label: settingsTitles.pages[page],
        detail: settingsTitles.title,
        icon: <Settings size={16} />,
        href: paths.settings(page),
      }))
    : []
  const own: MenuEntry[] = [
    ...THEMES.map((theme) => ({
      id: `theme-${theme}`,
      label: paletteWords.theme(shellWords.themes[theme]),
      icon: <Moon size={16} />,
      onAction: () => themeSetting.set(theme),
    })),
    { id: 'keys', label: shellWords.keys, icon: <Keyboard size={16} />, keys: '?', onAction: onKeys },
  ]
  return [
    { id: 'places', title: paletteWords.places, entries: [...places, ...settings] },
    {
      id: 'actions',
      title: paletteWords.actions,
      entries: [
        ...ofPage,
        ...(may('read') ? creating.map(({ needs, ...one }) => ({ ...one, ...refused[needs] })) : []),
        ...own,
      ],
    },
  ]
}

const entry = (
  id: string,
  label: string,
  icon: MenuEntry['icon'],
  href: string,
  needs: 'build' | 'manage',
) => ({
  id,
  label,
  icon,
  href,
  needs,
})
