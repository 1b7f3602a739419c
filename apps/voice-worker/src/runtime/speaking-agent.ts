import { FlushSentinel, voice } from '@livekit/agents'
import { FLUSH_CHUNK } from './runtime-llm.ts'

type LlmNode = voice.Agent['llmNode']

/** The agent of a voice session. Its words come from the server, so it has no instructions here. */
export class SpeakingAgent extends voice.Agent {
  constructor() {
    super({ instructions: '' })
  }

  /** Converts the flush chunks into LiveKit's sentinel, which a model's stream can't contain. */
  override async llmNode(...[context, tools, settings]: Parameters<LlmNode>): ReturnType<LlmNode> {
    const stream = await voice.Agent.default.llmNode(this, context, tools, settings)
    return (
      stream?.pipeThrough(
        new TransformStream({
          transform(chunk, controller) {
            const isFlush = typeof chunk !== 'string' && chunk.id === FLUSH_CHUNK
            controller.enqueue(isFlush ? FlushSentinel : chunk)
          },
        }),
      ) ?? null
    )
  }
}
