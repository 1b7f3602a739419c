// The media leg of the bridge stand-in, a separate process that the bridge controls over HTTP.
import { createServer, type IncomingMessage } from 'node:http'
import { parseArgs } from 'node:util'
import { endProcess } from '@troupe/telemetry/end-process'
import { AccessToken } from 'livekit-server-sdk'
import { type CarrierAddress, MediaLeg } from './media-leg.ts'

const { values } = parseArgs({
  options: {
    port: { type: 'string' },
    'bridge-url': { type: 'string' },
    'livekit-url': { type: 'string' },
    'api-key': { type: 'string' },
    'api-secret': { type: 'string' },
  },
})

interface Joining {
  room: string
  identity: string
  attributes: Record<string, string>
  callId: string
}

const legs = new Map<string, MediaLeg>()

async function open({ room, identity, attributes, callId }: Joining) {
  const leg = new MediaLeg(() => {
    legs.delete(leg.id)
    void fetch(`${values['bridge-url']}/gone/${callId}`, { method: 'POST' }).catch(() => {})
  })
  const token = new AccessToken(values['api-key'], values['api-secret'], {
    identity,
    ttl: 3600,
    attributes: { ...attributes, 'sip.callStatus': 'dialing', 'sip.callID': callId },
  })
  token.addGrant({
    room,
    roomJoin: true,
    canPublish: true,
    canSubscribe: true,
    canPublishData: true,
    canUpdateOwnMetadata: true,
  })
  token.kind = 'sip'
  const opened = await leg.open(values['livekit-url'] ?? '', await token.toJwt())
  legs.set(leg.id, leg)
  return { id: leg.id, ...opened }
}

async function act(id: string, step: string | undefined, body: CarrierAddress): Promise<void> {
  const leg = legs.get(id)
  if (leg === undefined) {
    if (step === 'close') return
    throw new Error('The call has ended')
  }
  if (step === 'answer') await leg.answer(body)
  if (step === 'close') {
    legs.delete(id)
    await leg.close()
  }
}

async function bodyOf(request: IncomingMessage) {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return JSON.parse(text)
}

const server = createServer(async (request, response) => {
  const [, , id, step] = (request.url ?? '').split('/')
  try {
    if (request.method === 'GET') response.end('OK')
    else if (id === undefined) response.end(JSON.stringify(await open(await bodyOf(request))))
    else {
      await act(id, step, await bodyOf(request))
      response.end('{}')
    }
  } catch (error) {
    response.writeHead(500).end(String(error))
  }
})
server.listen(Number(values.port), '127.0.0.1')

// The process that started the leg holds the other end of its input: the leg must not outlive it.
process.stdin.resume().once('end', () => endProcess(0))
