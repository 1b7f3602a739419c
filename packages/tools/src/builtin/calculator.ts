import jsep from 'jsep'
import type { ToolBody } from '../tool-maker.ts'

const MAX_LENGTH = 1_000

const FUNCTIONS: ReadonlyMap<string, (...values: number[]) => number> = new Map(
  Object.entries({
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
    log: Math.log10,
    log10: Math.log10,
    log2: Math.log2,
    max: Math.max,
    min: Math.min,
    round: (value: number, digits = 0) => Number(`${Math.round(Number(`${value}e${digits}`))}e${-digits}`),
    sin: Math.sin,
    sqrt: Math.sqrt,
    tan: Math.tan,
  }),
)
const NAMES = [...FUNCTIONS.keys()].join(', ')
const CONSTANTS: ReadonlyMap<string, number> = new Map([
  ['pi', Math.PI],
  ['e', Math.E],
])
const OPERATORS: ReadonlyMap<string, (left: number, right: number) => number> = new Map(
  Object.entries({
    '+': (left: number, right: number) => left + right,
    '-': (left: number, right: number) => left - right,
    '*': (left: number, right: number) => left * right,
    '/': (left: number, right: number) => left / right,
    '%': (left: number, right: number) => left % right,
    '^': (left: number, right: number) => left ** right,
  }),
)

/** An expression that cannot be calculated. The message is for the model. */
class NotCalculable extends Error {
  override readonly name = 'NotCalculable'
}

jsep.removeAllBinaryOps()
jsep.removeAllUnaryOps()
for (const operator of ['+', '-']) {
  jsep.addUnaryOp(operator)
  jsep.addBinaryOp(operator, 1)
}
for (const operator of ['*', '/', '%']) jsep.addBinaryOp(operator, 2)
jsep.addBinaryOp('^', 3, true)

/** Calculates a parsed expression; every node is visited once. */
function valueOf(expression: jsep.Expression): number {
  const node = expression as jsep.CoreExpression
  switch (node.type) {
    case 'Literal':
      if (typeof node.value === 'number') return node.value
      break
    case 'Identifier': {
      const value = CONSTANTS.get(node.name.toLowerCase())
      if (value === undefined) throw new NotCalculable(`There is no constant named ${node.name}.`)
      return value
    }
    case 'UnaryExpression': {
      const value = valueOf(node.argument)
      return node.operator === '-' ? -value : value
    }
    case 'BinaryExpression': {
      const operate = OPERATORS.get(node.operator)
      if (operate) return operate(valueOf(node.left), valueOf(node.right))
      break
    }
    case 'CallExpression': {
      const name = String(node.callee.name)
      const calculate = FUNCTIONS.get(name)
      if (!calculate) throw new NotCalculable(`There is no function named ${name}; there are ${NAMES}.`)
      return calculate(...node.arguments.map(valueOf))
    }
  }
  throw new NotCalculable('Only numbers, + - * / % ^, brackets and functions can be calculated.')
}

/** @throws NotCalculable */
function calculate(expression: string): number {
  if (expression.length > MAX_LENGTH)
    throw new NotCalculable(`The expression has more than ${MAX_LENGTH} characters.`)
  let parsed: jsep.Expression
  try {
    parsed = jsep(expression)
  } catch {
    throw new NotCalculable('The expression cannot be read.')
  }
  const value = valueOf(parsed)
  if (!Number.isFinite(value)) throw new NotCalculable('The result is not a finite number.')
  return value
}

/** A result without the noise of binary fractions: 0.1 + 0.2 is 0.3. */
const shown = (value: number) => String(Number(value.toPrecision(15)))

/** Calculates arithmetic, which models get wrong. */
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
      try {
        return { ok: true, text: shown(calculate(String(expression))) }
      } catch (error) {
        if (error instanceof NotCalculable)
          return { ok: false, code: 'invalid_arguments', message: error.message }
        throw error
      }
    },
  }
}
