import { ToolRunner } from 'assent'
import { type ReactNode, useReducer, useState } from 'react'
import { answerSchemas, realTools } from '../real-tools/tools.js'
import { PageTitle } from '../ui/page-title.js'
import { createAgent } from './agent.js'
import { Chat } from './chat.js'
import { chat, emptyChat } from './chat-state.js'
import { ModelForm } from './model-form.js'
import { createOpenAiModel, type Endpoint } from './openai-model.js'
import { createScriptedModel } from './scripted-model.js'

const scripted = createScriptedModel()

export function AgentPage(): ReactNode {
  const [endpoint, setEndpoint] = useState<Endpoint>()
  const [state, dispatch] = useReducer(chat, emptyChat)
  const [agent] = useState(() => createAgent(scripted, { tools: realTools, answerSchemas }, dispatch))

  const use = (next: Endpoint | undefined): void => {
    setEndpoint(next)
    agent.model = next ? createOpenAiModel(next) : scripted
  }

  return (
    <ToolRunner runner={agent.runner}>
      <PageTitle>Agent</PageTitle>
      <p className="lead">
        A small agent over the same tools: the model asks for calls, the tools ask you, the answers go back to the
        model. Move a long call to the background and go on talking; the model is told when it ends.
      </p>
      <ModelForm endpoint={endpoint} onUse={use} />
      <Chat agent={agent} state={state} />
    </ToolRunner>
  )
}
