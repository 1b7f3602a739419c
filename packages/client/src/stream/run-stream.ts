import type { IdText, RunId } from '@troupe/contract'
import { failure, type Result } from '../call/result.ts'
import { TroupeError } from '../call/troupe-error.ts'
import { type AnswerUpdate, answerText } from './answer-text.ts'
import type { AnyRunEvent } from './run-events.ts'
import { type RunEndCode, type RunResultOf, terminalResult } from './terminal-result.ts'

/**
 * A run in progress. Read it once, in one of three ways: `for await` over the stream for every event, `for
 * await` over `text` for the answer, or only `result()`. Reading throws `TroupeError` when the stream cannot
 * be read to its end, but not for a failed run, which ends with its event. Leaving the loop closes the
 * connection.
 */
export interface RunStream<E> extends AsyncIterable<E> {
  /** The run id, for cancelling and looking up the run. */
  readonly runId: IdText<RunId>
  /** The answer while it is being written. */
  readonly text: AsyncIterable<AnswerUpdate>
  /**
   * The outcome of the run, like the response of the synchronous call. Reads the stream unless another reader
   * does. Never rejects; `aborted` when the stream was left before its end.
   */
  result(): Promise<Result<RunResultOf<E>, RunEndCode>>
  /** Closes the connection. The run continues unless it was started with `on_disconnect: 'cancel'`. */
  close(): void
}

/** Wraps a run's events. `end` closes the connection. */
export function createRunStream<E extends AnyRunEvent>(
  runId: IdText<RunId>,
  events: AsyncIterable<E>,
  end: () => void,
): RunStream<E> {
  type Outcome = Result<RunResultOf<E>, RunEndCode>
  let settle: (outcome: Outcome) => void = () => undefined
  const outcome = new Promise<Outcome>((resolve) => {
    settle = resolve
  })
  let taken = false
  let closed = false
  const close = () => {
    closed = true
    settle(failure('aborted', 'The stream was closed before the run ended.'))
    end()
  }
  async function* read(): AsyncGenerator<E, void> {
    try {
      for await (const event of events) {
        const ended = terminalResult(event)
        if (ended) settle(ended)
        yield event
      }
    } catch (error) {
      if (closed) return
      if (error instanceof TroupeError) settle(error.failure)
      throw error
    } finally {
      close()
    }
  }
  const take = () => {
    if (taken) throw new TypeError('a run stream can be read only once')
    taken = true
    return read()
  }
  const drain = async () => {
    try {
      for await (const _ of take());
    } catch {
      // `settle` has recorded the failure.
    }
  }
  return {
    runId,
    [Symbol.asyncIterator]: take,
    text: { [Symbol.asyncIterator]: () => answerText({ [Symbol.asyncIterator]: take }) },
    result() {
      if (!taken && !closed) void drain()
      return outcome
    },
    close,
  }
}
