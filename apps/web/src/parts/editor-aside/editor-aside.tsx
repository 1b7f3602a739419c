import { type ReactNode, Suspense, useRef } from 'react'
import { Segments } from '../../atoms/controls/choices.tsx'
import { KeptPart } from '../../atoms/layout/kept-part.tsx'
import { lazyPart } from '../../atoms/parts/lazy-part.ts'
import { Skeleton } from '../../atoms/states/panels.tsx'
import { playgroundWords as words } from '../../core/messages/en/parts/playground.ts'
import { choiceParam } from '../../core/url/search-params.ts'
import { useSearchParams } from '../../infrastructure/routing/place.ts'
import type { KeptConversations } from '../playground/conversations/kept-conversations.ts'
import type { PlaygroundProps } from '../playground/playground.tsx'
import styles from './editor-aside.module.css'
import { useRestOfWindow } from './use-rest-of-window.ts'

const Playground = lazyPart(async () => (await import('../playground/playground.tsx')).Playground)

const PARAMS = { aside: choiceParam(['result', 'playground'], 'result') }

export interface EditorAsideProps extends Pick<PlaygroundProps, 'kind' | 'id' | 'edit'> {
  /** The page's conversations; null while the tab of the playground shows them. */
  conversations: KeptConversations | null
  /** The title of the settings' result: "What the model sees". */
  title: string
  children: ReactNode
}

/** Beside the settings of an agent or a team: their result, or a conversation with the current draft. */
export function EditorAside({ title, children, conversations, ...played }: EditorAsideProps) {
  const [{ aside }, setParams] = useSearchParams(PARAMS)
  return (
    <aside className={styles.aside} aria-label={aside === 'playground' ? words.label : title}>
      <Segments
        label={words.beside}
        value={aside}
        onChange={(next) => setParams({ aside: next })}
        options={[
          { id: 'result', label: title },
          { id: 'playground', label: words.label },
        ]}
      />
      <KeptPart isShown={aside === 'result'} className={styles.result}>
        {children}
      </KeptPart>
      {aside === 'playground' && conversations && (
        <BesidePlayground {...played} conversations={conversations} />
      )}
    </aside>
  )
}

function BesidePlayground(played: Omit<PlaygroundProps, 'isBeside'>) {
  const frame = useRef<HTMLDivElement>(null)
  useRestOfWindow(frame)
  return (
    <div ref={frame} className={styles.playground}>
      <Suspense fallback={<Skeleton lines={6} />}>
        <Playground {...played} isBeside />
      </Suspense>
    </div>
  )
}
