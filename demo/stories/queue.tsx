import { defineTool, pending, ToolRunner, useRuns, useToolRunner } from 'assent'
import { RunResult } from '../ui/run-result.js'
import type { StoryMeta } from './story-meta.js'

export const meta: StoryMeta = {
  id: 'queue',
  title: 'Queue of three',
  summary: 'Three calls at once, one dialog, no answer mixed up.',
  tryThis:
    'Press “Pay 3 invoices”. One dialog shows “1 of 3”; look through them with Next and Previous. Approve the first, decline the second, approve the third: each call ends with its own result.',
}

const payInvoice = defineTool({
  name: 'pay_invoice',
  description: 'Pay an invoice',
  inputSchema: { type: 'object', properties: { to: { type: 'string' }, euros: { type: 'number' } }, required: ['to'] },
  execute({ to, euros }, ctx) {
    if (!ctx.answer) return pending({ kind: 'approval', prompt: `Pay ${euros} euros to ${to}?` })
    return `paid ${to}`
  },
})

const invoices = [
  { to: 'Sail Loft', euros: 480 },
  { to: 'Rope & Twine', euros: 62 },
  { to: 'Harbour Office', euros: 150 },
]

function Invoices() {
  const { run } = useToolRunner()
  const lastThree = useRuns().slice(-3)
  return (
    <>
      <button type="button" className="primary" onClick={() => invoices.map((args) => run('pay_invoice', args))}>
        Pay 3 invoices
      </button>
      {lastThree.map((call) => (
        <RunResult key={call.id} run={call} label={`Result for ${call.args.to}`} />
      ))}
    </>
  )
}

export default function Queue() {
  return (
    <ToolRunner tools={[payInvoice]}>
      <Invoices />
    </ToolRunner>
  )
}
