import * as approve from './approve.js'
import * as authorization from './authorization.js'
import * as cancel from './cancel.js'
import * as customDialog from './custom-dialog.js'
import * as decline from './decline.js'
import * as expiry from './expiry.js'
import * as inlineCards from './inline-cards.js'
import * as input from './input.js'
import * as question from './question.js'
import * as queue from './queue.js'
import * as refusalHeard from './refusal-heard.js'
import type { Story } from './story-meta.js'
import * as unknownKind from './unknown-kind.js'

/** In the order of the sidebar. */
export const stories: readonly Story[] = [
  approve,
  decline,
  input,
  question,
  authorization,
  queue,
  expiry,
  cancel,
  customDialog,
  inlineCards,
  refusalHeard,
  unknownKind,
].map(({ meta, default: Component }) => ({ meta, Component }))
