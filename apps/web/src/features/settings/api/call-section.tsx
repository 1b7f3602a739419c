import { useState } from 'react'
import { CodeBlock } from '../../../atoms/code/code-field.tsx'
import { Segments } from '../../../atoms/controls/choices.tsx'
import { CopyField } from '../../../atoms/controls/copy-field.tsx'
import { Select } from '../../../atoms/controls/select.tsx'
import { Card, Section } from '../../../atoms/layout/page.tsx'
import { Callout } from '../../../atoms/states/panels.tsx'
import { callingWords } from '../../../core/messages/en/parts/calling.ts'
import { apiWords as words } from '../../../core/messages/en/settings/api.ts'
import { type CalledThing, SNIPPET_STYLES, type SnippetStyle } from '../../../core/snippets/called-thing.ts'
import { SNIPPET_LANGUAGES, snippet } from '../../../core/snippets/snippets.ts'
import { choiceParam, optionalParam } from '../../../core/url/search-params.ts'
import { useSearchParams } from '../../../infrastructure/routing/place.ts'
import { SearchPicker } from '../../../parts/pickers/search-picker.tsx'
import styles from './api.module.css'
import { CALLABLE, type CallableThing } from './callable-things.ts'
import { usePublishedInput } from './use-published-input.ts'

const KINDS = ['agent', 'team', 'workflow'] as const
const PARAMS = {
  kind: choiceParam(KINDS, 'agent'),
  id: optionalParam,
  way: choiceParam(SNIPPET_STYLES.agent, 'answer'),
  lang: choiceParam(SNIPPET_LANGUAGES, 'curl'),
}

/** Code that calls one agent, team or workflow of this organization. */
export function CallSection({ baseUrl }: { baseUrl: string }) {
  const [{ kind }, setParams] = useSearchParams(PARAMS)
  return (
    <Section title={words.call} detail={words.callDetail}>
      <Card>
        <Segments
          label={words.what}
          value={kind}
          onChange={(next) => setParams({ kind: next, id: null })}
          options={KINDS.map((id) => ({ id, label: words.kinds[id] }))}
        />
        <KindCall key={kind} kind={kind} baseUrl={baseUrl} />
      </Card>
    </Section>
  )
}

function KindCall({ kind, baseUrl }: { kind: CalledThing['kind']; baseUrl: string }) {
  const [{ id, way: wanted, lang }, setParams] = useSearchParams(PARAMS)
  const useThings = CALLABLE[kind]
  const things = useThings(id)
  const [first, setFirst] = useState<CallableThing | null>(null)
  // The first of all is kept while typing, until one is selected.
  const offered = first ?? things.found[0] ?? null
  if (first === null && offered !== null) setFirst(offered)
  const ways: readonly SnippetStyle[] = SNIPPET_STYLES[kind]
  const way = ways.includes(wanted) ? wanted : 'answer'
  const chosen = things.chosen ?? offered
  const calledId = chosen?.id ?? `<${kind}-id>`
  const input = usePublishedInput(kind === 'workflow' && chosen?.isCallable ? chosen.id : null)
  const thing = { kind, id: calledId, serverUrl: baseUrl, message: callingWords.example, input }
  const code = snippet(thing, lang, way)
  return (
    <>
      <div className={styles.choices}>
        <SearchPicker
          label={words.pick[kind]}
          value={chosen?.id ?? null}
          name={chosen?.label ?? null}
          onType={things.onType}
          isSearching={things.isSearching}
          onChange={(next) => setParams({ id: next })}
          options={things.found}
          isDisabled={chosen === null}
        />
        <Select
          label={words.how}
          value={way}
          onChange={(next) => setParams({ way: next })}
          options={ways.map((one) => ({ id: one, ...words.hows[one] }))}
        />
      </div>
      {chosen === null && <Callout>{words.pickNone[kind]}</Callout>}
      {chosen?.isCallable === false && <Callout tone="warn">{words.refused}</Callout>}
      <Segments
        label={words.language}
        value={lang}
        onChange={(next) => setParams({ lang: next })}
        options={SNIPPET_LANGUAGES.map((one) => ({ id: one, label: words.languages[one] }))}
      />
      <CodeBlock label={words.code(words.languages[lang])} text={code} />
      <p className={styles.run}>{callingWords.run[lang]}</p>
      {lang !== 'curl' && <CopyField label={callingWords.startLabel} text={callingWords.start[lang]} />}
    </>
  )
}
