import { Parser } from 'expr-eval-fork'
import type { ToolBody } from '../tool/tool-maker.ts'

const MAX_LENGTH = 1_000

const FUNCTIONS = {
  abs: Math.abs,
  acos: Math.acos,
  asin: Math.asin,
  atan: Math.atan,
  cbrt: Math.cbrt,
  ceil: Math.ceil,
  cos: Math.cos,
  exp: Math.exp,
  floor: Math.floor,
  ln: Math.log,
  log10: Math.log10,
  log2: Math.log2,
  max: Math.max,
  min: Math.min,
  // Rounds by decimal digits: 2.345 * 100 is 234.49999999999997.
  round: (value: number, digits = 0) => Number(`${Math.round(Number(`${value}e${digits}`))}e${-digits}`),
  sin: Math.sin,
  sqrt: Math.sqrt,
  tan: Math.tan,
}
const CONSTANTS = { pi: Math.PI, PI: Math.PI, e: Math.E, E: Math.E }
const NAMES = Object.keys(FUNCTIONS).join(', ')

/** Arithmetic only, so that every expression is evaluated in time linear in its length. */
function arithmetic(): Parser {
  const parser = new Parser({
    operators: {
      assignment: false,
      comparison: false,
      concatenate: false,
      conditional: false,
      factorial: false,
      fndef: false,
      in: false,
      length: false,
      logical: false,
      random: false,
    },
  })
  parser.unaryOps = { '-': (value: number) => -value, '+': Number }
  parser.functions = FUNCTIONS
  parser.consts = CONSTANTS
  return parser
}

const PARSER = arithmetic()

function calculate(expression: string): { value: number } | { problem: string } {
  if (expression.length > MAX_LENGTH) {
    return { problem: `The expression has more than ${MAX_LENGTH} characters.` }
  }
  try {
    const value: unknown = PARSER.evaluate(expression)
    if (typeof value === 'number' && Number.isFinite(value)) return { value }
    return { problem: 'The result is not a finite number.' }
  } catch {
    return {
      problem: `The expression cannot be calculated: use numbers, + - * / % ^, brackets, ${NAMES}, pi and e.`,
    }
  }
}

/** A result without the rounding errors of binary fractions: 0.1 + 0.2 is 0.3. */
const shown = (value: number) => String(Number(value.toPrecision(15)))

/** Evaluates arithmetic, because models miscalculate. */
export function calculator(): ToolBody {
  return {
    description: `Calculates an arithmetic expression exactly as written. Operators: + - * / % ^ and brackets. Functions: ${NAMES}. Constants: pi, e.`,
    inputSchema: {
      type: 'object',
      properties: { expression: { type: 'string', description: 'For example (12.5 + 7) * 3' } },
      required: ['expression'],
      additionalProperties: false,
    },
    idempotent: true,
    async execute({ expression }) {
      const result = calculate(String(expression))
      if ('value' in result) return { ok: true, text: shown(result.value) }
      return { ok: false, code: 'invalid_arguments', message: result.problem }
    },
  }
}
