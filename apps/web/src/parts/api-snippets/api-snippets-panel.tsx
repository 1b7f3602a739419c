import { useState } from 'react'
import { CodeBlock } from '../../atoms/code/code-field.tsx'
import { Segments } from '../../atoms/controls/choices.tsx'
import { CopyField } from '../../atoms/controls/copy-field.tsx'
import { TextField } from '../../atoms/controls/text-field.tsx'
import { LinkButton, TextLink } from '../../atoms/controls/text-link.tsx'
import { Card, Section, Toolbar } from '../../atoms/layout/page.tsx'
import { Callout } from '../../atoms/states/panels.tsx'
import type { ConfigKind } from '../../core/forms/check-content.ts'
import { callingWords as words } from '../../core/messages/en/parts/calling.ts'
import { SNIPPET_LANGUAGES, snippet } from '../../core/snippets/snippets.ts'
import { SERVER_PATHS, withSearch } from '../../core/url/paths.ts'
import { choiceParam } from '../../core/url/search-params.ts'
import { useRefusal } from '../../infrastructure/queries/use-refusal.ts'
import { useSearchParams } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import styles from './api-snippets.module.css'
import { BundlePart } from './bundle-part.tsx'

export interface ApiSnippetsPanelProps {
  kind: ConfigKind
  id: string
  name: string
}

const PARAMS = {
  language: choiceParam(SNIPPET_LANGUAGES, 'curl'),
  answer: choiceParam(['answer', 'stream'], 'answer'),
}

/** Code that calls an agent or a team: complete programs with real ids. */
export function ApiSnippetsPanel({ kind, id, name }: ApiSnippetsPanelProps) {
  const { session, paths, may } = usePlace()
  const [{ language, answer }, setParams] = useSearchParams(PARAMS)
  const [message, setMessage] = useState<string>(words.example)
  const serverUrl = session.server.publicUrl.replace(/\/$/, '')
  const refusal = useRefusal('manage')
  const languageName = words.languages[language]
  return (
    <div className={styles.panel}>
      <Section title={words.title} detail={words.detail(name)}>
        <Card>
          <div className={styles.key}>
            <p>{words.keyText}</p>
            {refusal === null ? (
              <LinkButton href={withSearch(paths.settings('keys'), { create: '1' })}>
                {words.makeKey}
              </LinkButton>
            ) : (
              <span className={styles.quiet}>{refusal}</span>
            )}
          </div>
          <CopyField label={words.keyLabel} text={words.keyCommand} />
        </Card>
        <Toolbar label={words.language}>
          <Segments
            label={words.language}
            value={language}
            onChange={(next) => setParams({ language: next })}
            options={SNIPPET_LANGUAGES.map((one) => ({ id: one, label: words.languages[one] }))}
          />
          <Segments
            label={words.style}
            value={answer}
            onChange={(next) => setParams({ answer: next })}
            options={[
              { id: 'answer', label: words.styles.answer },
              { id: 'stream', label: words.styles.stream },
            ]}
          />
        </Toolbar>
        <TextField label={words.message} value={message} onChange={setMessage} maxLength={2_000} />
        <CodeBlock
          label={words.program(languageName)}
          text={snippet({ kind, id, serverUrl, message: message.trim() || words.example }, language, answer)}
        />
        <p className={styles.quiet}>{words.run[language]}</p>
        {language !== 'curl' && <CopyField label={words.startLabel} text={words.start[language]} />}
        <p>
          <TextLink href={SERVER_PATHS.docs} isExternal>
            {words.docs}
          </TextLink>
        </p>
      </Section>
      <Section title={words.bundle} detail={words.bundleText}>
        {may('manage') ? <BundlePart kind={kind} id={id} name={name} /> : <Callout>{refusal}</Callout>}
      </Section>
    </div>
  )
}
