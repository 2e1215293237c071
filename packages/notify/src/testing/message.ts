// A message with words that every channel has to be careful with.
import type { NoticeMessage } from '@treadle/flow/ports/notifications'

export function message(given: Partial<NoticeMessage> = {}): NoticeMessage {
  return {
    id: '7',
    level: 'error',
    blocking: false,
    title: '--help "$(touch pwned)" <b>#4</b> & needs you',
    text: 'expected 1 < 2 && `rm`\n</b><script>alert(1)</script> *bold* _x_ [a](b) &lt;',
    nextSteps: [
      { label: 'See it <now>', command: 'treadle explain 4 & more' },
      { label: 'Read the log', command: null },
    ],
    notifications: [],
    ...given,
  }
}
