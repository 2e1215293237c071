import { expect, test } from 'vitest'
import { Loans } from '../src/loans.ts'

function some(): Loans {
  const loans = new Loans()
  loans.lend('Ulysses', 'a', 100)
  loans.lend('Dune', 'b', 101)
  loans.lend('Emma', 'a', 102)
  return loans
}

test('a loan lasts four weeks', () => {
  expect(new Loans().lend('Dune', 'a', 10).until).toBe(38)
})

test('a book that is out is not lent again', () => {
  expect(() => some().lend('Dune', 'c', 103)).toThrow(RangeError)
})

test('a book that came back can be lent again', () => {
  const loans = some()
  expect(loans.giveBack('Dune')).toBe(true)
  expect(loans.giveBack('Dune')).toBe(false)
  loans.lend('Dune', 'c', 120)
  expect(loans.timesLent('Dune')).toBe(2)
  expect(loans.timesLent('Emma')).toBe(1)
})

test('open loans cannot be changed from outside', () => {
  const loans = some()
  loans.current().shift()
  expect(loans.current().map((loan) => loan.book)).toEqual(['Ulysses', 'Dune', 'Emma'])
})

test('the books of a member are in order', () => {
  expect(some().booksOf('a')).toEqual(['Emma', 'Ulysses'])
  expect(some().booksOf('b')).toEqual(['Dune'])
})

test('days are counted down', () => {
  expect(some().daysLeft('Ulysses', 118)).toBe(10)
  expect(some().daysLeft('Sula', 118)).toBe(0)
})

test('a late book has no days left', () => {
  expect(some().daysLeft('Ulysses', 140)).toBe(0)
})

test('a loan is extended from its end', () => {
  const loans = some()
  expect(loans.extend('Dune', 7)).toBe(136)
  expect(loans.daysLeft('Dune', 130)).toBe(6)
  expect(loans.extend('Sula', 7)).toBe(null)
})

test('no loan is longer than twelve weeks', () => {
  expect(some().extend('Dune', 70)).toBe(185)
})
