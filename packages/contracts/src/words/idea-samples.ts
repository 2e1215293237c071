// One event of every kind about ideas, and the sentence it makes.
import type { EventType, TreadleEvent } from '../event.ts'

type IdeaEvent = Exclude<
  Extract<EventType, `idea.${string}` | `ideation.${string}`>,
  'idea.generated' | 'idea.rejected'
>
const idea = 'offline-shopping-list'

export const IDEA_SAMPLES: {
  [T in IdeaEvent]: [Extract<TreadleEvent, { type: T }>, string, string | null]
} = {
  'idea.started': [
    { type: 'idea.started', idea, title: 'An offline-first shopping list', engine: null, by: 'ada' },
    'ada started the idea An offline-first shopping list',
    null,
  ],
  'idea.said': [
    {
      type: 'idea.said',
      idea,
      messageId: '00000000-1111-4111-8111-000000000001',
      role: 'user',
      by: 'ada',
      text: 'Families\nwho shop together',
    },
    'ada wrote about offline-shopping-list',
    'Families',
  ],
  'idea.artifact_saved': [
    { type: 'idea.artifact_saved', idea, artifact: 'target-user', summary: 'Families', confidence: 0.7 },
    'offline-shopping-list: target user understood',
    'Families (70 % sure)',
  ],
  'idea.candidate_created': [
    { type: 'idea.candidate_created', idea, title: 'An offline-first shopping list' },
    'offline-shopping-list has a folder of its own',
    'An offline-first shopping list',
  ],
  'idea.reviewed': [
    { type: 'idea.reviewed', idea, gaps: 2, learned: 1 },
    'Retrospective for the idea offline-shopping-list',
    '2 gaps, 1 lesson',
  ],
  'idea.phase_changed': [
    { type: 'idea.phase_changed', idea, from: 'EXPLORING', to: 'NARROWING' },
    'offline-shopping-list went from EXPLORING to NARROWING',
    null,
  ],
  'idea.interview_began': [
    { type: 'idea.interview_began', idea, why: 'the engine answered nonsense three times' },
    'offline-shopping-list goes on as an interview',
    'the engine answered nonsense three times',
  ],
  'ideation.completed': [
    {
      type: 'ideation.completed',
      idea,
      title: 'An offline-first shopping list',
      brief: 'users/ada/ideas/offline-shopping-list/planning/brief.md',
    },
    'The brief of offline-shopping-list is ready',
    'users/ada/ideas/offline-shopping-list/planning/brief.md',
  ],
}
