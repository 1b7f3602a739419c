/** The level above which somebody speaks; full scale is 1. */
const LOUD = 0.012
const PERIOD_MS = 20

/** Reports when a voice begins and ends. */
export class LoudnessMeter {
  /** Silence of this length ends a sentence; shorter silences are pauses between words. */
  static readonly PAUSE_MS = 300

  readonly #context = new AudioContext()
  readonly #timer: number

  constructor(
    track: MediaStreamTrack,
    { onChange, onLevel }: { onChange: (isLoud: boolean) => void; onLevel: (level: number) => void },
  ) {
    const analyser = this.#context.createAnalyser()
    analyser.fftSize = 512
    this.#context.createMediaStreamSource(new MediaStream([track])).connect(analyser)
    const samples = new Float32Array(analyser.fftSize)
    let isLoud = false
    let quietSince = 0
    this.#timer = window.setInterval(() => {
      analyser.getFloatTimeDomainData(samples)
      const level = Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length)
      const now = performance.now()
      if (level > LOUD) {
        quietSince = now
        onLevel(level * 6)
        if (!isLoud) {
          isLoud = true
          onChange(true)
        }
      } else if (isLoud && now - quietSince > LoudnessMeter.PAUSE_MS) {
        isLoud = false
        onLevel(0)
        onChange(false)
      }
    }, PERIOD_MS)
  }

  stop(): void {
    window.clearInterval(this.#timer)
    void this.#context.close()
  }
}
