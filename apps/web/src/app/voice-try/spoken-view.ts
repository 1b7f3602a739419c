/** The current state of the conversation. */
export type VoicePhase = 'idle' | 'starting' | 'waiting' | 'listening' | 'speaking' | 'failed'

const STATES: Record<VoicePhase, string> = {
  idle: 'Ready',
  starting: 'Connecting …',
  waiting: 'Waiting for the agent …',
  listening: 'Listening',
  speaking: 'The agent speaks',
  failed: 'Not connected',
}

/** The elements of the page. */
export class SpokenView {
  readonly #root: HTMLElement
  readonly #turns = new Map<string, HTMLLIElement>()
  /** The pause for an answer whose words have not arrived, in milliseconds. */
  #pending: number | null = null
  #latencies: number[] = []

  constructor(root: HTMLElement) {
    this.#root = root
  }

  agentId(): string {
    const select = this.#find('voice-agent')
    return select instanceof HTMLSelectElement ? select.value : ''
  }

  onStart(act: () => void): void {
    this.#find('voice-start').addEventListener('click', act)
  }

  onEnd(act: () => void): void {
    this.#find('voice-end').addEventListener('click', act)
  }

  onMute(act: (isMuted: boolean) => void): void {
    const button = this.#find('voice-mute')
    button.addEventListener('click', () => {
      const isMuted = button.getAttribute('aria-pressed') !== 'true'
      button.setAttribute('aria-pressed', String(isMuted))
      act(isMuted)
    })
  }

  starting(): void {
    this.#turns.clear()
    this.#latencies = []
    this.#pending = null
    this.#find('voice-turns').replaceChildren()
    this.#find('voice-failure').hidden = true
    this.#find('voice-empty').hidden = false
    this.#find('voice-mute').setAttribute('aria-pressed', 'false')
    this.#showLatencies()
    this.phase('starting')
  }

  phase(phase: VoicePhase): void {
    this.#root.dataset.phase = phase
    this.#find('voice-state').textContent = STATES[phase]
    const isOver = phase === 'idle' || phase === 'failed'
    this.#find('voice-start').hidden = !isOver
    this.#find('voice-agent').toggleAttribute('disabled', !isOver)
    for (const id of ['voice-mute', 'voice-end']) this.#find(id).hidden = isOver
    if (isOver) this.level(0)
  }

  failed(reason: string): void {
    this.phase('failed')
    const failure = this.#find('voice-failure')
    failure.textContent = reason
    failure.hidden = false
  }

  /** The level of the current speaker, 0 to 1. */
  level(level: number): void {
    this.#find('voice-level').style.scale = (1 + Math.min(level, 1) * 0.9).toFixed(2)
  }

  /** One utterance, which grows until it is final. */
  turn({
    id,
    role,
    text,
    isFinal,
  }: {
    id: string
    role: 'caller' | 'agent'
    text: string
    isFinal: boolean
  }): void {
    if (text.trim() === '') return
    this.#find('voice-empty').hidden = true
    let item = this.#turns.get(id)
    if (item === undefined) {
      item = document.createElement('li')
      item.dataset.role = role
      item.append(document.createElement('span'))
      this.#turns.set(id, item)
      this.#find('voice-turns').append(item)
      if (role === 'agent' && this.#pending !== null) {
        note(item, this.#pending)
        this.#pending = null
      }
      item.scrollIntoView({ block: 'nearest' })
    }
    item.dataset.final = String(isFinal)
    const words = item.querySelector('span')
    if (words !== null) words.textContent = text
  }

  /** The caller's wait for the answer that starts now, in milliseconds. */
  answeredAfter(ms: number): void {
    this.#latencies.push(ms)
    this.#showLatencies()
    // The words of an answer come before its first sound, or after it.
    const last = this.#find('voice-turns').lastElementChild
    if (last instanceof HTMLLIElement && last.dataset.role === 'agent') note(last, ms)
    else this.#pending = ms
  }

  #showLatencies(): void {
    const sorted = this.#latencies.toSorted((a, b) => a - b)
    const show = (id: string, ms: number | undefined) => {
      this.#find(id).textContent = ms === undefined ? '–' : seconds(ms)
    }
    show('voice-last', this.#latencies.at(-1))
    show('voice-median', sorted[Math.floor(sorted.length / 2)])
    show('voice-slowest', sorted.at(-1))
  }

  #find(id: string): HTMLElement {
    const element = document.getElementById(id)
    if (element === null) throw new Error(`The page has no ${id}`)
    return element
  }
}

function note(item: HTMLLIElement, ms: number): void {
  const small = document.createElement('small')
  small.textContent = seconds(ms)
  item.append(small)
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(2)} s`
}
