import { type DialogBodyProps, defineTool, pending, ToolRunner } from 'assent'
import { RunButton } from '../ui/run-button.js'
import type { StoryMeta } from './story-meta.js'

export const meta: StoryMeta = {
  id: 'custom-dialog',
  title: 'Custom dialog',
  summary: 'Your own body for a kind, in our shell.',
  tryThis:
    'Press “Rate the crossing” and choose a number of stars. The body is this page’s own; the frame around it, the focus, Escape and the half second of arming are the kit’s. The call ends with “4 stars”.',
}

const rateCrossing = defineTool({
  name: 'rate_crossing',
  description: 'Ask how the crossing was',
  inputSchema: { type: 'object', properties: {} },
  execute(_args, ctx) {
    if (!ctx.answer) return pending({ kind: 'rating', prompt: 'How was your crossing?' })
    return `${ctx.answer.data?.stars} stars`
  },
})

function RatingBody({ item, armed, labels }: DialogBodyProps) {
  return (
    <div className="rating">
      <fieldset>
        <legend>Stars</legend>
        {[1, 2, 3, 4, 5].map((stars) => (
          <button key={stars} type="button" aria-disabled={!armed} onClick={() => armed && item.approve({ stars })}>
            {stars}
          </button>
        ))}
      </fieldset>
      <button type="button" onClick={() => item.decline()}>
        {labels.decline}
      </button>
    </div>
  )
}

const dialogs = { rating: RatingBody }

export default function CustomDialog() {
  return (
    <ToolRunner tools={[rateCrossing]} dialogs={dialogs}>
      <RunButton tool="rate_crossing">Rate the crossing</RunButton>
    </ToolRunner>
  )
}
