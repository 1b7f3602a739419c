import type { McpConnectionResult } from '@troupe/contract/builder'
import { FailurePanel } from '../../atoms/states/failure-panel.tsx'
import { Callout, ErrorPanel } from '../../atoms/states/panels.tsx'
import { duration } from '../../core/format/times.ts'
import { toolWords } from '../../core/messages/en/resources/tools.ts'
import type { CallFailure } from '../../infrastructure/client/call-failure.ts'
import { LeftOutTools } from '../../parts/tool-test/left-out-tools.tsx'
import styles from './tools.module.css'

const words = toolWords.servers

export interface ConnectionStateProps {
  isPending: boolean
  failure: CallFailure | null
  /** The server's last response; null: not requested on this page. */
  result: McpConnectionResult | null
}

/** The result of refreshing a server's tools. */
export function ConnectionState({ isPending, failure, result }: ConnectionStateProps) {
  return (
    <div aria-live="polite" className={result || failure || isPending ? styles.stack : undefined}>
      {isPending && <Callout>{words.connecting}</Callout>}
      {!isPending && <FailurePanel title={words.connectFailed} failure={failure} />}
      {!isPending && result && <Answer result={result} />}
    </div>
  )
}

function Answer({ result: { ok, error, ms, tools, leftOut } }: { result: McpConnectionResult }) {
  if (!ok) return <ErrorPanel title={words.unavailable} message={error ?? ''} />
  return (
    <>
      <Callout tone="good">{words.connected(tools.length, duration(ms))}</Callout>
      <LeftOutTools tools={leftOut} />
    </>
  )
}
