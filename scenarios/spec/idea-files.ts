// The documents of an idea as a person writes them by hand.
import type { Workspace } from '../kit/workspace.ts'

export const README =
  '# Offline shopping list\n\nA shopping list for families who shop together, in shops without a signal.\n'

export function brief({ features, done }: { readonly features: string; readonly done: string }): string {
  return `# Brief: Offline shopping list

## Target user

Families who shop together.

## Problem

The list is at home, and shops have no signal.

## Solution

A web app for lists that everybody of a family sees.

## Features

${features}

## Risks

- Two people change one list at once

## Done when

${done}

## Confidence

80 %
`
}

export const BRIEF = brief({
  features: `- **Shared lists**: a family keeps lists together; each entry with name, quantity and shop
- **Reminders**: people are reminded of a list when they are near a shop
  - at most once a day
- **Dark theme**: colours for the evening`,
  done: `- A shared list that one person changes is seen by the others within 5 seconds
- A reminder comes at most once a day
- It works offline for a week`,
})

/** In the folder of git's user, who is called Test here. */
export function writeIdea(workspace: Workspace, slug: string, text = BRIEF): void {
  workspace.write(`users/test/ideas/${slug}/README.md`, README)
  workspace.write(`users/test/ideas/${slug}/planning/brief.md`, text)
}
