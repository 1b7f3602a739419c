/** Commands of LaTeX with signs that speech engines pronounce in their language. */
const SIGNS: Readonly<Record<string, string>> = {
  ...{
    times: '×',
    cdot: '·',
    div: '÷',
    pm: '±',
    mp: '∓',
    leq: '≤',
    le: '≤',
    geq: '≥',
    ge: '≥',
    neq: '≠',
    ne: '≠',
  },
  ...{
    approx: '≈',
    equiv: '≡',
    sim: '~',
    infty: '∞',
    sum: '∑',
    prod: '∏',
    int: '∫',
    partial: '∂',
    nabla: '∇',
  },
  ...{
    to: '→',
    rightarrow: '→',
    Rightarrow: '⇒',
    leftarrow: '←',
    in: '∈',
    notin: '∉',
    subset: '⊂',
    cup: '∪',
  },
  ...{
    cap: '∩',
    forall: '∀',
    exists: '∃',
    alpha: 'α',
    beta: 'β',
    gamma: 'γ',
    delta: 'δ',
    epsilon: 'ε',
    theta: 'θ',
  },
  ...{
    lambda: 'λ',
    mu: 'μ',
    pi: 'π',
    rho: 'ρ',
    sigma: 'σ',
    tau: 'τ',
    phi: 'φ',
    omega: 'ω',
    Delta: 'Δ',
    Sigma: 'Σ',
  },
  ...{ Omega: 'Ω', degree: '°', circ: '°', percent: '%', ldots: '…', dots: '…', cdots: '…' },
}
const SUPERSCRIPTS: Readonly<Record<string, string>> = { '2': '²', '3': '³' }
/** Commands that only change the appearance of their argument, or are space. */
const LOOKS =
  /\\(?:text|mathrm|mathbf|mathit|mathsf|mathbb|mathcal|operatorname|left|right|big|Big|bigl|bigr|displaystyle|quad|qquad|hline|begin\{[^}]{0,20}\}|end\{[^}]{0,20}\})(?![a-zA-Z])/g
const INNERMOST = '\\{([^{}]{0,500})\\}'
const FRACTION = new RegExp(`\\\\[dt]?frac${INNERMOST}${INNERMOST}`, 'g')
const ROOT = new RegExp(`\\\\sqrt${INNERMOST}`, 'g')
/** Maximum depth; formulas that are nested deeper keep some of their commands' names. */
const DEEPEST = 6

/** A formula of LaTeX in signs instead of commands: `\frac{a}{b^2}` is `a / b²`. */
export function formulaText(latex: string): string {
  let text = latex.replace(LOOKS, ' ')
  for (let depth = 0; depth < DEEPEST; depth += 1) {
    text = text
      .replace(/[\^]\{?([23])\}?(?!\d)/g, (_, digit: string) => SUPERSCRIPTS[digit] ?? digit)
      .replace(FRACTION, ' $1 / $2 ')
      .replace(ROOT, ' √($1) ')
      .replace(/([_^])\{([^{}]{0,500})\}/g, '$1$2')
  }
  return text
    .replace(
      /\\([a-zA-Z]{1,30})/g,
      (_, name: string) => ` ${Object.hasOwn(SIGNS, name) ? SIGNS[name] : name} `,
    )
    .replace(/\\([,;:! ])/g, ' ')
    .replace(/\\\\/g, ', ')
    .replace(/\\(.)/g, '$1')
    .replace(/_/g, ' ')
    .replace(/[{}&]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}
