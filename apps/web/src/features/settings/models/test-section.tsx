import { Zap } from 'lucide-react'
import { useState } from 'react'
import { Select } from '../../../atoms/controls/select.tsx'
import { Card, Facts, Section } from '../../../atoms/layout/page.tsx'
import { SendButton } from '../../../atoms/overlays/send-button.tsx'
import { FailurePanel } from '../../../atoms/states/failure-panel.tsx'
import { Callout } from '../../../atoms/states/panels.tsx'
import { useSendingRefusal } from '../../../atoms/states/sending-refusal.ts'
import { duration } from '../../../core/format/times.ts'
import { modelWords as words } from '../../../core/messages/en/settings/models.ts'
import { formFailure } from '../../../infrastructure/client/field-failure.ts'
import { useKeys } from '../../../infrastructure/keys/use-keys.ts'
import styles from './models.module.css'
import type { ModelForm, TestedModel } from './use-model-form.ts'

/** Calls a model once with the current input, and shows the result: here, and at the field with the error. */
export function TestSection({ form }: { form: ModelForm }) {
  const { draft, test } = form
  const [wanted, setWanted] = useState<string | null>(null)
  const { models } = draft
  const chosen = models.find(({ modelId }) => modelId === wanted) ?? models[0]
  const failure = test.failure
  const offline = useSendingRefusal()
  const run = () => chosen && !test.isPending && void test.run(chosen.modelId)
  useKeys([{ keys: 'mod+enter', label: words.testAction, refusal: offline, run }])
  const paths = failure?.errors.map(({ path }) => path).filter((path) => form.faultOf(path) !== null) ?? []
  return (
    <Section title={words.test} detail={words.testDetail}>
      <Card>
        <div className={styles.testLine}>
          <Select
            label={words.testModel}
            value={chosen?.modelId ?? null}
            onChange={setWanted}
            isDisabled={models.length === 0}
            placeholder={words.testNeedsModel}
            options={models.map(({ modelId }) => ({ id: modelId, label: modelId }))}
            error={form.faultOf('modelId')}
          />
          <SendButton
            icon={<Zap size={14} />}
            isPending={test.isPending}
            isDisabled={chosen === undefined}
            onPress={run}
          >
            {words.testAction}
          </SendButton>
        </div>
        <FailurePanel title={words.testFailed} failure={formFailure(failure, paths)} />
        <div role="status" className={styles.testResult}>
          {test.result && <TestResult tested={test.result} />}
        </div>
      </Card>
    </Section>
  )
}

function TestResult({ tested: { modelId, answer } }: { tested: TestedModel }) {
  const { ok, firstTokenMs, latencyMs, reply, error } = answer
  const times = [
    ...(firstTokenMs === null ? [] : [{ name: words.firstToken, value: duration(firstTokenMs) }]),
    { name: words.latency, value: duration(latencyMs) },
  ]
  if (ok) {
    return (
      <>
        <Callout tone="good">
          <strong>{words.testOk(modelId)}</strong>
        </Callout>
        <Facts facts={[...times, { name: words.reply, value: reply || words.emptyReply }]} />
      </>
    )
  }
  return (
    <>
      <Callout tone="bad">
        <strong>{error?.message}</strong>
      </Callout>
      <Facts
        facts={[
          { name: words.fixHere, value: error?.fix ?? '' },
          ...(error?.providerMessage ? [{ name: words.providerSaid, value: error.providerMessage }] : []),
          { name: words.errorCode, value: <code>{error?.code}</code> },
          ...times,
        ]}
      />
    </>
  )
}
