// Latin letters without marks and strokes, for names of folders and files.

/** Letters that Unicode takes apart into no plain one. */
const STROKED: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ŧ: 't',
  ŋ: 'n',
  ı: 'i',
}

/** Small letters; what is not Latin stays as it is. */
export function plainLetters(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/(?<=\p{Script=Latin})\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[ßæœøłđðþħŧŋı]/g, (letter) => STROKED[letter] ?? letter)
}
