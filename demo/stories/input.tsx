import { defineTool, pending, ToolRunner } from 'assent'
import { RunButton } from '../ui/run-button.js'
import type { StoryMeta } from './story-meta.js'

export const meta: StoryMeta = {
  id: 'input',
  title: 'Input',
  summary: 'A form from a flat JSON Schema, as MCP has it.',
  tryThis:
    'Press “Book a table” and press Submit at once: each required field says what it needs. Fill in a name, an e-mail address, a date and the guests, then Submit. The call ends with the values, numbers as numbers.',
}

const schema = {
  type: 'object',
  properties: {
    name: { type: 'string', title: 'Name', minLength: 2, maxLength: 40 },
    email: { type: 'string', title: 'E-mail', format: 'email' },
    date: { type: 'string', title: 'Date', format: 'date' },
    guests: { type: 'integer', title: 'Guests', minimum: 1, maximum: 12 },
    seating: {
      type: 'string',
      title: 'Seating',
      oneOf: [
        { const: 'in', title: 'Indoors' },
        { const: 'out', title: 'On the terrace' },
      ],
      default: 'in',
    },
    diets: { type: 'array', title: 'Diets', items: { type: 'string', enum: ['vegetarian', 'vegan', 'no nuts'] } },
    reminder: { type: 'boolean', title: 'Send me a reminder', default: true },
  },
  required: ['name', 'email', 'date', 'guests'],
}

const bookTable = defineTool({
  name: 'book_table',
  description: 'Book a table at the restaurant',
  inputSchema: { type: 'object', properties: {} },
  execute(_args, ctx) {
    if (!ctx.answer) return pending({ kind: 'input', prompt: 'Who is coming, and when?', data: { schema } })
    return ctx.answer.data
  },
})

export default function Input() {
  return (
    <ToolRunner tools={[bookTable]}>
      <RunButton tool="book_table">Book a table</RunButton>
    </ToolRunner>
  )
}
