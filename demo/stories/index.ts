import * as approve from './approve.js'
import * as approveAll from './approve-all.js'
import * as authorization from './authorization.js'
import * as cancel from './cancel.js'
import * as choices from './choices.js'
import * as customDialog from './custom-dialog.js'
import * as danger from './danger.js'
import * as decline from './decline.js'
import * as edit from './edit.js'
import * as expiry from './expiry.js'
import * as flood from './flood.js'
import * as gate from './gate.js'
import * as history from './history.js'
import * as importBackground from './import-background.js'
import * as importProgress from './import-progress.js'
import * as inlineCards from './inline-cards.js'
import * as input from './input.js'
import * as parallel from './parallel.js'
import * as phone from './phone.js'
import * as policy from './policy.js'
import * as question from './question.js'
import * as queue from './queue.js'
import * as refusalHeard from './refusal-heard.js'
import * as reload from './reload.js'
import * as remember from './remember.js'
import * as reply from './reply.js'
import * as secret from './secret.js'
import * as spoofedText from './spoofed-text.js'
import type { Story } from './story-meta.js'
import * as twoContracts from './two-contracts.js'
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
  gate,
  edit,
  reply,
  choices,
  danger,
  remember,
  policy,
  approveAll,
  history,
  spoofedText,
  flood,
  secret,
  importProgress,
  importBackground,
  parallel,
  twoContracts,
  reload,
  phone,
].map(({ meta, default: Component }) => ({ meta, Component }))
