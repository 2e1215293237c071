import { NewItem } from '@treadle/contracts/item'
import { expect, test } from 'vitest'
import { fieldsIn, parseForm, textOrNull } from './form.model.ts'

test('a form is read by the names of its fields; what is not there is empty', () => {
  const data = new FormData()
  data.set('title', ' Repair ')
  data.set('backlog', 'on')
  const { text, isTicked } = fieldsIn(data)
  expect([text('title'), text('body')]).toEqual([' Repair ', ''])
  expect([isTicked('backlog'), isTicked('mayChangeTests')]).toEqual([true, false])
})

test('values that the schema takes are ready, others are wrong by the name of the field', () => {
  expect(parseForm(NewItem, { title: 'Repair' }, 'The item')).toMatchObject({
    is: 'ready',
    value: { title: 'Repair', projectNumber: 1 },
  })
  expect(parseForm(NewItem, { title: 'Repair', priority: -1 }, 'The item')).toMatchObject({
    is: 'wrong',
    why: expect.stringMatching(/^priority: /),
  })
})

test('a form that is wrong as a whole is called by its own name', () => {
  const schema = { safeParse: () => ({ success: false, error: { issues: [] } }) as const }
  expect(parseForm(schema, {}, 'The item')).toEqual({ is: 'wrong', why: 'The item: is not right' })
})

test.each([
  ['', null],
  [' \n', null],
  [' a ', ' a '],
])('the text %j is %j', (text, read) => {
  expect(textOrNull(text)).toBe(read)
})
