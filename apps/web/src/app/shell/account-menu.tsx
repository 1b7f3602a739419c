import { BookOpen, ChevronsUpDown, Keyboard, LogOut, Monitor, Moon, Sun, UserRound } from 'lucide-react'
import { DeferredMenu } from '../../atoms/overlays/deferred-menu.tsx'
import { Avatar } from '../../atoms/states/panels.tsx'
import { shellWords } from '../../core/messages/en/shell.ts'
import { SERVER_PATHS } from '../../core/url/paths.ts'
import { THEMES, themeSetting } from '../../infrastructure/preferences/preferences.ts'
import { useValue } from '../../infrastructure/preferences/use-value.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import styles from './shell.module.css'
import { useSignOut } from './use-sign-out.tsx'

const THEME_ICONS = { system: Monitor, light: Sun, dark: Moon }

/** The user's account, the theme, help and the sign-out. */
export function AccountMenu({ onKeys }: { onKeys(): void }) {
  const { session, paths } = usePlace()
  const { person } = session
  const theme = useValue(themeSetting)
  const { signOut, question } = useSignOut()
  return (
    <>
      <DeferredMenu
        label={shellWords.account}
        placement="top start"
        className={styles.switcher}
        groups={[
          {
            id: 'person',
            entries: [
              {
                id: 'account',
                label: shellWords.yourAccount,
                detail: person.email,
                icon: <UserRound size={16} />,
                href: paths.account,
              },
            ],
          },
          {
            id: 'theme',
            title: shellWords.theme,
            entries: THEMES.map((id) => {
              const Icon = THEME_ICONS[id]
              return {
                id,
                label: shellWords.themes[id],
                icon: <Icon size={16} />,
                isChecked: theme === id,
                onAction: () => themeSetting.set(id),
              }
            }),
          },
          {
            id: 'help',
            entries: [
              {
                id: 'docs',
                label: shellWords.documentation,
                icon: <BookOpen size={16} />,
                href: SERVER_PATHS.docs,
              },
              {
                id: 'keys',
                label: shellWords.keys,
                icon: <Keyboard size={16} />,
                keys: '?',
                onAction: onKeys,
              },
              {
                id: 'out',
                label: shellWords.signOut,
                icon: <LogOut size={16} />,
                onAction: signOut,
              },
            ],
          },
        ]}
      >
        <span className="visually-hidden">{shellWords.account}</span>
        <Avatar name={person.name} />
        <span className={styles.switcherName} style={{ fontWeight: 500 }}>
          {person.name}
        </span>
        <ChevronsUpDown size={14} className={styles.muted} />
      </DeferredMenu>
      {question}
    </>
  )
}
