import { CodeBlock } from '../../../atoms/code/code-field.tsx'
import { Segments } from '../../../atoms/controls/choices.tsx'
import { ComboBox } from '../../../atoms/controls/combo-box.tsx'
import { CopyField } from '../../../atoms/controls/copy-field.tsx'
import { Select } from '../../../atoms/controls/select.tsx'
import { Card, Section } from '../../../atoms/layout/page.tsx'
import { Callout } from '../../../atoms/states/panels.tsx'
import { apiWords as words } from '../../../core/messages/en/settings/api.ts'
import {
  CALL_LANGUAGES,
  CALL_WAYS,
  type CallKind,
  type CallWay,
  installSnippet,
  runSnippet,
} from '../../../core/snippets/run-snippets.ts'
import { choiceParam, optionalParam } from '../../../core/url/search-params.ts'
import { useSearchParams } from '../../../infrastructure/routing/place.ts'
import styles from './api.module.css'
import { CALLABLE } from './callable-things.ts'

const KINDS = ['agent', 'team', 'workflow'] as const
const PARAMS = {
  kind: choiceParam(KINDS, 'agent'),
  id: optionalParam,
  way: choiceParam(CALL_WAYS.agent, 'wait'),
  lang: choiceParam(CALL_LANGUAGES, 'curl'),
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

function KindCall({ kind, baseUrl }: { kind: CallKind; baseUrl: string }) {
  const [{ id, way: wanted, lang }, setParams] = useSearchParams(PARAMS)
  const useThings = CALLABLE[kind]
  const things = useThings()
  const ways: readonly CallWay[] = CALL_WAYS[kind]
  const way = ways.includes(wanted) ? wanted : 'wait'
  const chosen = things.find((thing) => thing.id === id) ?? things[0] ?? null
  const install = installSnippet(lang)
  const code = runSnippet(lang, { baseUrl, kind, id: chosen?.id ?? `<${kind}-id>`, way })
  return (
    <>
      <div className={styles.choices}>
        <ComboBox
          key={things.length === 0 ? 'none' : 'some'}
          label={words.pick[kind]}
          value={chosen?.id ?? null}
          onChange={(next) => setParams({ id: next })}
          options={things}
          isDisabled={things.length === 0}
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
        options={CALL_LANGUAGES.map((one) => ({ id: one, label: words.languages[one] }))}
      />
      {install !== null && <CopyField label={words.install} text={install} />}
      <CodeBlock label={words.code(words.languages[lang])} text={code} />
    </>
  )
}
