import type { StreamEvent } from '@troupe/contract'
import type { AgentDetails, TeamDetails } from '@troupe/contract/builder'
import { ownOrigin } from '@troupe/test-kit/seed-person'
import { expect } from 'vitest'
import { type EventReader, readEvents } from '../runs/event-reader.ts'
import { type RunSetting, startRunSetting } from '../runs/model-agent.ts'
import { asMember, type BuilderClient } from './builder-caller.ts'

/** A member who builds agents and teams with a scripted model, and uses the playground. */
export interface PlaygroundSetting extends AsyncDisposable {
  setting: RunSetting
  eva: BuilderClient
  /** The model chain of a config. */
  model(): object
  agentOf(config?: object): Promise<AgentDetails>
  /** A handoff of two agents, unless the config differs. */
  teamOf(config?: object): Promise<TeamDetails>
  /** Reads an event stream over a real connection. */
  read(target: string, body?: object): Promise<EventReader>
  /** Sends a message to `/agents/ID` or `/teams/ID` and reads the complete response. */
  play(path: string, body: object): Promise<StreamEvent[]>
}

export async function startPlayground(): Promise<PlaygroundSetting> {
  const setting = await startRunSetting()
  const origin = await setting.server.app.listen({ host: '127.0.0.1', port: 0 })
  const eva = await asMember(setting.server, 'member', 'Eva')

  const model = () => ({ primary: { llm_config_id: setting.llmConfigId, model_id: 'scripted-1' } })

  async function agentOf(config: object = {}): Promise<AgentDetails> {
    const { status, body } = await eva.send('POST /agents', {
      name: 'Ada',
      config: { model: model(), ...config },
    })
    expect([status, body]).toEqual([201, expect.anything()])
    return body as AgentDetails
  }

  async function teamOf(config: object = {}): Promise<TeamDetails> {
    const [a, b] = [await agentOf(), await agentOf()]
    const { status, body } = await eva.send('POST /teams', {
      name: 'Crew',
      config: {
        mode: 'handoff',
        lead: { managed: { instructions: 'Lead.', model: model() } },
        members: [{ agent: a.agentId }, { agent: b.agentId }],
        ...config,
      },
    })
    expect([status, body]).toEqual([201, expect.anything()])
    return body as TeamDetails
  }

  function read(target: string, body?: object): Promise<EventReader> {
    const [method = '', path] = target.split(' ')
    const { seed } = setting.server
    return readEvents(`${origin}/api/builder/v1/organizations/${seed.organizationId}${path}`, {
      method,
      headers: {
        cookie: eva.cookie,
        origin: ownOrigin(setting.server),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
  }

  async function play(path: string, body: object): Promise<StreamEvent[]> {
    const stream = await read(`POST ${path}/playground`, body)
    await stream.ended
    expect([stream.status, stream.text()]).toEqual([200, expect.stringMatching(/^retry: 3000/)])
    return stream.events
  }

  return {
    ...{ setting, eva, model, agentOf, teamOf, read, play },
    [Symbol.asyncDispose]: () => setting[Symbol.asyncDispose](),
  }
}
