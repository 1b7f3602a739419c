import type { StreamEvent } from '@troupe/contract'
import { readEvents } from '../runs/event-reader.ts'
import type { CrewCustomer } from './crew-customer.ts'
import type { Job, Subject } from './job-setting.ts'
import { messageOf } from './scripted-crew.ts'

const TERMINAL = ['completed', 'failed', 'timeout', 'cancelled']
const POLL_MS = 50

/** A caller of jobs over real connections, which any process of the deployment may answer. */
export class JobCaller {
  /** Its base URL; changes with a restart. */
  origin: string
  readonly #key: string

  constructor(origin: string, { key }: Pick<CrewCustomer, 'key'>) {
    this.origin = origin
    this.#key = key
  }

  async start({ path }: Subject, tag: string, body: object = {}): Promise<string> {
    const response = await fetch(`${this.origin}${path}/run-async`, {
      method: 'POST',
      headers: { 'x-api-key': this.#key, 'content-type': 'application/json' },
      body: JSON.stringify({ message: messageOf(tag), ...body }),
    })
    const answer = (await response.json()) as Job
    if (response.status !== 202) throw new Error(`${response.status} ${JSON.stringify(answer)}`)
    return answer.jobId
  }

  async poll({ jobs }: Subject, jobId: string): Promise<Job> {
    const response = await fetch(`${this.origin}${jobs}/${jobId}`, { headers: { 'x-api-key': this.#key } })
    const answer = (await response.json()) as Job
    if (response.status !== 200) throw new Error(`${response.status} ${JSON.stringify(answer)}`)
    return answer
  }

  /** Polls until the job has ended. */
  async untilEnded(subject: Subject, jobId: string, patienceMs: number): Promise<Job> {
    const giveUpAt = Date.now() + patienceMs
    for (;;) {
      const job = await this.poll(subject, jobId)
      if (TERMINAL.includes(job.status)) return job
      if (Date.now() > giveUpAt) throw new Error(`a job of ${subject.name} is ${job.status} for ever`)
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    }
  }

  /** The whole log of a job, to its end. */
  async log({ path }: Subject, jobId: string): Promise<StreamEvent[]> {
    const url = `${this.origin}${path}/runs/${jobId}/stream?detail=full`
    const reader = await readEvents(url, { headers: { 'x-api-key': this.#key } })
    await reader.ended
    return reader.events
  }
}
