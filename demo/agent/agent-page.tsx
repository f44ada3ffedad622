import { type ToolEvent, ToolRunner } from 'assent'
import { type ReactNode, useReducer, useState } from 'react'
import { answerSchemas, realTools } from '../real-tools/tools.js'
import { PageTitle } from '../ui/page-title.js'
import { Chat } from './chat.js'
import { chat, emptyChat } from './chat-state.js'
import type { Model } from './messages.js'
import { ModelForm } from './model-form.js'
import { createOpenAiModel, type Endpoint } from './openai-model.js'
import { createScriptedModel } from './scripted-model.js'

const scripted = createScriptedModel()

export function AgentPage(): ReactNode {
  const [endpoint, setEndpoint] = useState<Endpoint>()
  const [model, setModel] = useState<Model>(() => scripted)
  const [state, dispatch] = useReducer(chat, emptyChat)

  const use = (next: Endpoint | undefined): void => {
    setEndpoint(next)
    setModel(() => (next ? createOpenAiModel(next) : scripted))
  }
  const onEvent = (event: ToolEvent): void => {
    if (event.type === 'answer' && !event.ok) dispatch({ type: 'refused', toolCallId: event.toolCallId })
  }

  return (
    <ToolRunner tools={realTools} answerSchemas={answerSchemas} onEvent={onEvent}>
      <PageTitle>Agent</PageTitle>
      <p className="lead">
        A small agent over the same tools: the model asks for calls, the tools ask you, the answers go back to the
        model.
      </p>
      <ModelForm endpoint={endpoint} onUse={use} />
      <Chat model={model} state={state} onAction={dispatch} />
    </ToolRunner>
  )
}
