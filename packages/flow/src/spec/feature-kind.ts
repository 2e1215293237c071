// What a feature needs: a table, types of its own, routes, something to look at. Told by its words and by the profile.
import type { Layout } from './layouts.ts'
import type { BriefFeature } from './read-brief.ts'

export interface FeatureKind {
  readonly requiresData: boolean
  readonly hasEntities: boolean
  readonly hasAPI: boolean
  readonly hasUI: boolean
}

const DATA =
  /\b(?:accounts?|achievements?|archives?|backlog|bookings?|bookmarks?|budgets?|calendar|carts?|categor(?:y|ies)|collections?|comments?|contacts?|create|customers?|database|delet\w+|edit|entr(?:y|ies)|events?|expenses?|favou?rites?|follow\w*|goals?|groups?|habits?|histor(?:y|ies)|inventor(?:y|ies)|invitations?|invoices?|items?|journals?|keep|library of|lists?|logs?|manag\w+|members?|messages?|notes?|orders?|payments?|persist\w*|plans?|posts?|profiles?|progress|projects?|ratings?|receipts?|recipes?|records?|registr\w+|remember\w*|reminders?|reservations?|reviews?|roles?|sav(?:e|es|ed|ing)|schedules?|sessions?|settings?|shar(?:e|es|ed|ing)|sign[- ]?up|store[sd]?|streaks?|subscriptions?|sync\w*|tables?|tags?|tasks?|teams?|templates?|track\w*|transactions?|uploads?|users?|votes?|watchlists?|wishlists?)\b/i
const API =
  /\b(?:(?:get|post|put|patch|delete|head) \/|(?:api|(?:over|via|by) https?|approv\w+|auth\w*|cancel\w*|hid(?:e|es|den)|moderat\w+|publish\w*|reject\w*|webhooks?|endpoints?|export\w*|fetch\w*|import\w*|integrat\w+|invit\w+|log[- ]?in|mail\w*|e-?mails?|notif\w+|pay\w*|push|reports?|requests?|routes?|search\w*|sign[- ]?in|suggest\w*|recommend\w*|upload\w*)\b)/i
const UI =
  /\b(?:badges?|banners?|browse|buttons?|calendar|cards?|charts?|colou?rs?|dark mode|dashboards?|display\w*|drag\w*|filters?|forms?|galler(?:y|ies)|graphs?|home|layout|lists?|maps?|menus?|modal|navigat\w+|overview|pages?|panels?|pick\w*|previews?|profiles?|screens?|search|select|settings?|show\w*|sidebars?|sort\w*|swip\w+|tables?|tabs?|themes?|timelines?|views?|wizards?)\b/i
const NO_DATA =
  /\b(?:no|without(?: an?)?|needs? no) (?:database|storage|server|back-?end|accounts?)\b|\bstateless\b/i
const NO_UI =
  /\b(?:no|without(?: an?)?) (?:ui|screen|page|interface|front-?end)\b|\bheadless\b|\bin the background\b/i

export function kindOf(feature: BriefFeature, layout: Layout): FeatureKind {
  const text = [feature.name, feature.description, ...feature.details].join('. ')
  const data = DATA.test(text) && !NO_DATA.test(text)
  const api = data || API.test(text)
  const ui = UI.test(text) && !NO_UI.test(text)
  // What says nothing of itself is something that people see.
  const plain = !data && !api && !ui
  return {
    requiresData: data && layout.database !== null,
    hasEntities: data && layout.types !== null,
    hasAPI: api && layout.api !== null,
    hasUI: (ui || data || plain) && layout.ui !== null && !NO_UI.test(text),
  }
}
