import { RunTray, ToolRunner } from 'assent'
import { CodeBlock } from '../ui/code-block.js'
import { RunButton } from '../ui/run-button.js'
import { resizePictures as tanstack } from './resize-tanstack.js'
import tanstackSource from './resize-tanstack.ts?raw'
import { resizePictures as toolnexus } from './resize-toolnexus.js'
import toolnexusSource from './resize-toolnexus.ts?raw'
import type { StoryMeta } from './story-meta.js'

export const meta: StoryMeta = {
  id: 'two-contracts',
  title: 'Two contracts',
  summary: 'The same job, written in the style of each contract.',
  tryThis:
    'Run both; their code stands below. The toolnexus tool asks once, by what it returns; the TanStack AI tool is asked about before it runs, then asks how wide, and may be moved to the background. Both end with { "resized": 12, "width": 800 }; decline either and nothing is resized.',
}

const contracts = [
  { style: 'toolnexus', tool: toolnexus, source: toolnexusSource },
  { style: 'TanStack AI', tool: tanstack, source: tanstackSource },
]

export default function TwoContracts() {
  return (
    <ToolRunner tools={[toolnexus, tanstack]}>
      <div className="columns">
        {contracts.map(({ style, tool }) => (
          <section key={style} className="side" aria-label={style}>
            <h3>{style}</h3>
            <RunButton tool={tool.name} args={{ count: 12 }} result={`Result, ${style}`}>
              Resize 12 pictures
            </RunButton>
          </section>
        ))}
      </div>
      <RunTray />
      <div className="columns">
        {contracts.map(({ style, source }) => (
          <CodeBlock key={style} label={`Source of the ${style} tool`}>
            {source}
          </CodeBlock>
        ))}
      </div>
    </ToolRunner>
  )
}
