import { type IdText, type ProjectId, propertyOf } from '@troupe/contract'
import { ArrowDown, Cpu, Plus } from 'lucide-react'
import { Fragment, useState } from 'react'
import { Button } from '../../atoms/controls/button.tsx'
import { LinkButton } from '../../atoms/controls/text-link.tsx'
import { Disclosure } from '../../atoms/layout/disclosure.tsx'
import { AskedPanel } from '../../atoms/states/asked-panel.tsx'
import { Empty } from '../../atoms/states/panels.tsx'
import { duration } from '../../core/format/times.ts'
import { pathPattern } from '../../core/forms/setting-words.ts'
import { MODEL_CHAIN_WORDS, modelChainWords as words } from '../../core/messages/en/model-chain.ts'
import { MODEL_LINK_WORDS } from '../../core/messages/en/model-link.ts'
import { useLlmConfigurations } from '../../infrastructure/queries/use-whole-list.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { type ConfigForm, listAt } from '../config-form/config-form.ts'
import { SettingField } from '../config-form/setting-field.tsx'
import { SettingFrame, SettingGrid } from '../config-form/setting-frame.tsx'
import { useSettingItems } from '../config-form/use-setting-items.ts'
import { CallAxis } from './call-axis.tsx'
import { failoverPath, type RehearsedFailure } from './failover-path.ts'
import { FailoverRehearsal } from './failover-rehearsal.tsx'
import { type LlmChoices, llmChoices } from './llm-choices.ts'
import styles from './model-chain.module.css'
import { failuresText, ModelLink } from './model-link.tsx'
import { isRepeated, midStreamOf, nextFallback, rehearsedChain } from './rehearsed-chain.ts'

export interface ModelChainProps {
  form: ConfigForm
  /** The path of the chain: `model` of an agent, `lead.managed.model` of a team. */
  at: string
  /** The project of the agent or team, whose configurations it may use; null: none. */
  projectId: IdText<ProjectId> | null
}

const TIMES = ['first_token_timeout_ms', 'idle_timeout_ms', 'call_timeout_ms'] as const

/** The models of a chain: the primary one, then each fallback with the failures on which it takes over. */
export function ModelChainFields({ form, at, projectId }: ModelChainProps) {
  const { paths } = usePlace()
  const configurations = useLlmConfigurations()
  return (
    <AskedPanel asked={configurations} failed={words.configurationsFailed}>
      {(data) => {
        const choices = llmChoices(data, projectId)
        if (choices.all.length === 0 && listAt(form, `${at}.fallbacks`).length === 0) {
          return (
            <Empty
              picture={<Cpu size={22} />}
              title={words.none}
              actions={<LinkButton href={paths.settings('models')}>{words.openModels}</LinkButton>}
            >
              {words.noneText}
            </Empty>
          )
        }
        return <ModelLinks form={chainForm(form, at)} at={at} choices={choices} />
      }}
    </AskedPanel>
  )
}

/** The form with the words of a chain, wherever in a configuration it is. */
function chainForm(form: ConfigForm, at: string): ConfigForm {
  const chain: Readonly<Record<string, ReturnType<ConfigForm['wordsOf']>>> = MODEL_CHAIN_WORDS
  const link: Readonly<Record<string, ReturnType<ConfigForm['wordsOf']>>> = MODEL_LINK_WORDS
  return {
    ...form,
    wordsOf: (path) => {
      const pattern = pathPattern(path).slice(at.length + 1)
      return chain[pattern] ?? link[pattern.replace(/^(primary|fallbacks\.\*)\./, '')] ?? form.wordsOf(path)
    },
  }
}

interface ModelLinksProps {
  form: ConfigForm
  at: string
  choices: LlmChoices
}

function ModelLinks({ form, at, choices }: ModelLinksProps) {
  const path = `${at}.fallbacks`
  const fallbacks = listAt(form, path)
  const list = useSettingItems(form, path, (index) => words.fallback(index + 1))
  const most = form.specOf(path)?.longest ?? 5
  const [failure, setFailure] = useState<RehearsedFailure | null>(null)
  const chain = rehearsedChain(form, at, choices)
  const asked = failure === null ? null : failoverPath(chain, failure, midStreamOf(form, at))
  const askedAt = (index: number) => {
    const stop = chain[index]
    return asked === null || stop === undefined ? null : asked.includes(stop)
  }
  const add = () => list.add(nextFallback(form, at, choices))
  return (
    <div className={styles.chain}>
      <ol className={styles.links}>
        <ModelLink
          form={form}
          at={`${at}.primary`}
          title={words.primary}
          choices={choices}
          isAsked={askedAt(0)}
        />
        {fallbacks.map((fallback, index) => (
          <Fragment key={list.keyOf(index)}>
            <li className={styles.arrow} aria-hidden="true" data-asked={askedAt(index + 1) ?? undefined}>
              <ArrowDown size={14} />
              {failuresText(propertyOf(fallback, 'on'))}
            </li>
            <ModelLink
              form={form}
              at={`${path}.${index}`}
              title={words.fallback(index + 1)}
              isRepeated={isRepeated(form, at, index + 1, choices)}
              isAsked={askedAt(index + 1)}
              choices={choices}
              moves={list.movesOf(index)}
            />
          </Fragment>
        ))}
      </ol>
      <div role="status" className="visually-hidden">
        {list.said}
      </div>
      <SettingFrame form={form} path={path}>
        {!form.isReadOnly && (
          <div className={styles.add}>
            <Button
              size="small"
              icon={<Plus size={14} />}
              onPress={add}
              isDisabled={fallbacks.length >= most}
            >
              {words.add}
            </Button>
            <span>{fallbacks.length >= most ? words.most(most) : words.addHint}</span>
          </div>
        )}
      </SettingFrame>
      <Disclosure look="section" title={words.timing} summary={timingText(form, at)}>
        <SettingGrid>
          <SettingField form={form} path={`${at}.retry.attempts_per_model`} />
          {TIMES.map((name) => (
            <SettingField key={name} form={form} path={`${at}.retry.${name}`} />
          ))}
        </SettingGrid>
        <CallAxis {...limitsOf(form, at)} models={1 + fallbacks.length} />
        <SettingField form={form} path={`${at}.mid_stream`} look="radio" />
      </Disclosure>
      <Disclosure look="section" title={words.rehearsal}>
        <FailoverRehearsal {...{ form, at, chain, failure }} onChange={setFailure} />
      </Disclosure>
    </div>
  )
}

function timingText(form: ConfigForm, at: string): string {
  const { attempts, limits } = limitsOf(form, at)
  return words.timingSummary(attempts, duration(limits.firstTokenMs))
}

function limitsOf(form: ConfigForm, at: string) {
  const number = (name: string) => {
    const value = form.value(`${at}.retry.${name}`) ?? form.specOf(`${at}.retry.${name}`)?.standard
    return typeof value === 'number' ? value : 0
  }
  return {
    attempts: number('attempts_per_model'),
    limits: {
      firstTokenMs: number('first_token_timeout_ms'),
      idleMs: number('idle_timeout_ms'),
      callMs: number('call_timeout_ms'),
    },
  }
}
